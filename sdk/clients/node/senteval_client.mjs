// The client's side of senteval's process protocol (../README.md). Copy it beside your script.
//
//   import { serve } from './senteval_client.mjs';
//   await serve({ name: 'mine', version: '1.0', dimension: 300, encode });
//
// encode(sentences) takes an array of strings and returns (a promise of) one row of numbers for each.
// prepare(task, sentences), where given, sees every sentence of a task first; without a dimension it
// returns the dimension. What console.log() says goes to senteval's log.

const input = process.stdin[Symbol.asyncIterator]();
let waiting = Buffer.alloc(0);

/** The next bytes of the input up to what `end` finds in them, or null at its end. */
async function take(end) {
  for (let parts = [waiting], size = waiting.length; ; ) {
    const at = end(parts.at(-1), size);
    if (at >= 0) {
      const all = Buffer.concat(parts);
      waiting = all.subarray(at);
      return all.subarray(0, at);
    }
    const { value, done } = await input.next();
    if (done) return null;
    parts.push(value);
    size += value.length;
  }
}
const takeLine = () => take((last, size) => {
  const at = last.indexOf(10);
  return at < 0 ? -1 : size - last.length + at + 1;
});
const takeBytes = count => take((_, size) => (size >= count ? count : -1));

function split(payload) {
  const sentences = [];
  for (let at = 0; at < payload.length; at += 4 + payload.readUInt32LE(at))
    sentences.push(payload.toString('utf8', at + 4, at + 4 + payload.readUInt32LE(at)));
  return sentences;
}

export async function serve({ name, version, dimension, encode, prepare, batch_invariant = true, deterministic = true }) {
  console.log = console.error;
  const hello = { protocol: 1, name, version, dimension: dimension ?? 'per task', prepare: !!prepare, batch_invariant, deterministic };
  const handle = async (request, sentences) => {
    if (request.request === 'hello') return [hello];
    if (request.request === 'prepare') return [{ dimension: (await prepare(request.task, sentences)) ?? dimension }];
    const rows = await encode(sentences);
    const numbers = Buffer.from(Float32Array.from(rows.flatMap(row => Array.from(row))).buffer);
    const size = Buffer.alloc(8);
    size.writeBigUInt64LE(BigInt(numbers.length));
    return [{ rows: rows.length, dimension: rows[0].length }, size, numbers];
  };
  for (let line; (line = await takeLine()); ) {
    const request = JSON.parse(line);
    const sentences = split(await takeBytes(request.bytes ?? 0));
    const [header, ...numbers] = await handle(request, sentences).catch(e => [{ error: String(e?.stack ?? e) }]);
    process.stdout.write(Buffer.concat([Buffer.from(JSON.stringify(header) + '\n'), ...numbers]));
  }
}
