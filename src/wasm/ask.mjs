// Runs the engine of the page in Node.js. Each line of standard input is a question,
// each line of standard output an answer.
//
//   node ask.mjs PAGE < QUESTIONS
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";

const page = readFileSync(process.argv[2], "utf8");
const unpack = name => {
  const [, packed] = page.match(new RegExp(`const ${name} = "([^"]+)"`));
  return gunzipSync(Buffer.from(packed, "base64"));
};
const began = performance.now();
const module = new WebAssembly.Module(unpack("MODULE"));

let engine = null;
const read = (start, length) =>
  new TextDecoder().decode(new Uint8Array(engine.memory.buffer, start, length));
const host = {
  milliseconds: () => performance.now(),
  reply: (start, length) => process.stdout.write(`${read(start, length)}\n`),
  failed: (start, length) => { throw new Error(read(start, length)); },
};
engine = new WebAssembly.Instance(module, { santorini: host }).exports;
const write = bytes => {
  const room = engine.room(bytes.length);
  new Uint8Array(engine.memory.buffer, room, bytes.length).set(bytes);
};
write(unpack("NETWORK"));
engine.begin();
process.stderr.write(`ready in ${(performance.now() - began).toFixed(1)} ms\n`);

for (const line of readFileSync(0, "utf8").split("\n").filter(line => line)) {
  write(new TextEncoder().encode(line));
  engine.answer();
}
