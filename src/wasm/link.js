// The link to the engine inside this page: see `client.js` for what a link is.
//
// There are two workers: one for long questions, and one for the rest, which are
// answered at once. A busy worker receives no messages, so a search is stopped by
// ending its worker. The next worker reuses the compiled module and is ready in
// milliseconds. The network for games with cards is empty in the smaller page.

// The bytes of a text in base64. For the 5 MB of the engine this takes 10 ms where browsers
// have a function for it, 50 ms by the loop, and a second by `Uint8Array.from`.
const bytesOf = text => {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  const letters = atob(text);
  const bytes = new Uint8Array(letters.length);
  for (let index = 0; index < letters.length; index += 1) bytes[index] = letters.charCodeAt(index);
  return bytes;
};

// There is no program with sockets.
const socketAddress = () => null;

// Outside of the function, so that browsers read these long texts only once.
const MODULE = "/* MODULE */";
const NETWORK = "/* NETWORK */";

const openLink = ({ heard, opened, lost }) => {
  const script = new Blob(["/* WORKER */"], { type: "text/javascript" });
  const address = URL.createObjectURL(script);

  const tell = answer => heard(JSON.stringify(answer));

  // A worker and its queue of questions; it is answering the first.
  const openQueue = engine => {
    let worker = null;
    const asked = [];
    let known = null;

    const begin = () => {
      known = null;
      if (asked.length) worker.postMessage(asked[0].text);
    };
    const finish = answer => {
      asked.shift();
      tell(answer);
      begin();
    };
    const start = () => {
      worker = new Worker(address);
      worker.onmessage = ({ data }) => {
        const answer = JSON.parse(data);
        if (!("part" in answer)) return finish(answer);
        known = answer.part;
        heard(data);
      };
      worker.onerror = event => {
        event.preventDefault();
        const why = `the engine failed: ${event.message}`;
        if (!asked.length) return lost(why);
        restart();
        finish({ id: asked[0].id, error: why });
      };
      worker.postMessage(engine);
    };
    const restart = () => {
      worker.terminate();
      start();
    };
    start();

    return {
      ask: (question, text) => {
        asked.push({ ...question, text });
        if (asked.length === 1) begin();
      },
      // A stopped search is answered with its last result; a review has none before its end.
      stop: id => {
        const place = asked.findIndex(question => question.id === id);
        if (place < 0) return;
        const knows = place === 0 && asked[0].do !== "review" && known !== null;
        const answer = knows ? { id, ok: known } : { id, error: "it was stopped" };
        if (place === 0) {
          restart();
          finish(answer);
        } else {
          asked.splice(place, 1);
          tell(answer);
        }
      },
    };
  };

  const unpack = async text => {
    const stream = new Blob([bytesOf(text)]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Uint8Array(await new Response(stream).arrayBuffer());
  };

  const load = async () => {
    // The page is drawn before the engine is decoded.
    await new Promise(done => setTimeout(done));
    const [module, network] = await Promise.all([unpack(MODULE), unpack(NETWORK)]);
    return { module: await WebAssembly.compile(module), network };
  };

  let queues = null;
  load().then(
    engine => {
      queues = { quick: openQueue(engine), study: openQueue(engine) };
      opened();
    },
    cause => lost(`this browser cannot run the engine (${cause.message}); use a browser from 2023 or later`),
  );

  const send = text => {
    if (!queues) return false;
    const question = JSON.parse(text);
    if (question.do === "stop") {
      queues.quick.stop(question.what);
      queues.study.stop(question.what);
      tell({ id: question.id, ok: null });
    } else {
      const takesLong = ["analyze", "compare", "review"].includes(question.do);
      (takesLong ? queues.study : queues.quick).ask(question, text);
    }
    return true;
  };
  return { send };
};
