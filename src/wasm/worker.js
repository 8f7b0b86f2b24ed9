// A worker with the engine. Its first message is the compiled module and the bytes of a
// network, or none; each later one is a question, which it answers with one or more texts.
let engine = null;

const read = (start, length) =>
  new TextDecoder().decode(new Uint8Array(engine.memory.buffer, start, length));

const host = {
  milliseconds: () => performance.now(),
  reply: (start, length) => postMessage(read(start, length)),
  failed: (start, length) => { throw new Error(read(start, length)); },
};

const write = bytes => {
  const room = engine.room(bytes.length);
  new Uint8Array(engine.memory.buffer, room, bytes.length).set(bytes);
};

onmessage = ({ data }) => {
  if (typeof data === "string") {
    write(new TextEncoder().encode(data));
    engine.answer();
  } else {
    engine = new WebAssembly.Instance(data.module, { santorini: host }).exports;
    write(data.network);
    engine.begin();
  }
};
