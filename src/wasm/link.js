// The link to the engine inside this page: see `desk.js` for what a link is.
//
// There are two workers, one for analyses and one for everything else, which is
// then answered at once. A worker that computes hears nothing, so an analysis is
// stopped by ending its worker; the next one has the compiled module already and
// is ready in some milliseconds.
const openLink = ({ heard, opened, lost }) => {
  const WORKER = "/* WORKER */";
  const MODULE = "/* MODULE */";

  // A question that is answered, and those that wait for the same worker.
  const desk = module => {
    let worker = null;
    let asked = [];
    let last = null;

    const finish = answer => {
      asked.shift();
      last = null;
      heard(JSON.stringify(answer));
      next();
    };
    const next = () => {
      if (asked.length) worker.postMessage(asked[0].text);
    };
    const start = () => {
      worker = new Worker(WORKER_ADDRESS());
      worker.onmessage = ({ data }) => {
        const answer = JSON.parse(data);
        if (!("part" in answer)) return finish(answer);
        last = answer.part;
        heard(data);
      };
      worker.onerror = event => {
        event.preventDefault();
        const failed = asked[0];
        restart();
        if (failed) finish({ id: failed.id, error: `the engine failed: ${event.message}` });
      };
      worker.postMessage(module);
    };
    const restart = () => {
      worker.terminate();
      start();
    };
    start();
    return {
      ask: (id, text) => {
        asked.push({ id, text });
        if (asked.length === 1) next();
      },
      stop: id => {
        const place = asked.findIndex(question => question.id === id);
        if (place === 0) {
          const known = last;
          restart();
          finish(known === null ? { id, error: "stopped" } : { id, ok: known });
        } else if (place > 0) {
          asked.splice(place, 1);
          heard(JSON.stringify({ id, error: "stopped" }));
        }
      },
    };
  };

  let address = null;
  const WORKER_ADDRESS = () =>
    address ??= URL.createObjectURL(new Blob([WORKER], { type: "text/javascript" }));

  const load = async () => {
    const packed = Uint8Array.from(atob(MODULE), letter => letter.charCodeAt(0));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
    return WebAssembly.compile(await new Response(stream).arrayBuffer());
  };

  let quick = null;
  let study = null;
  load().then(
    module => {
      quick = desk(module);
      study = desk(module);
      opened();
    },
    cause => lost(`this browser cannot run the engine (${cause.message}); one of 2023 or later can`),
  );

  const send = text => {
    if (!quick) return false;
    const { id, do: what, what: stopped } = JSON.parse(text);
    if (what === "stop") {
      quick.stop(stopped);
      study.stop(stopped);
      heard(JSON.stringify({ id, ok: null }));
    } else {
      (what === "analyze" ? study : quick).ask(id, text);
    }
    return true;
  };
  return { send };
};
