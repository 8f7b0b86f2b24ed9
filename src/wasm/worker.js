// A worker with the engine. Its first message is the compiled module; each later one
// is a question, which it answers with one or more texts.
let engine = null;

const read = (start, length) =>
  new TextDecoder().decode(new Uint8Array(engine.memory.buffer, start, length));

const host = {
  milliseconds: () => performance.now(),
  reply: (start, length) => postMessage(read(start, length)),
  failed: (start, length) => { throw new Error(read(start, length)); },
};

const ask = text => {
  const question = new TextEncoder().encode(text);
  const room = engine.room(question.length);
  new Uint8Array(engine.memory.buffer, room, question.length).set(question);
  engine.answer();
};

onmessage = ({ data }) => {
  if (data instanceof WebAssembly.Module) {
    engine = new WebAssembly.Instance(data, { santorini: host }).exports;
    engine.begin();
  } else {
    ask(data);
  }
};
