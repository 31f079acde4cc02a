// An encoder in Node: words, hashed to signed places. Its copy of the client is sdk/clients/node's.
//
//   senteval run --encoder process --set command="node samples/encoder_process/hashed_words.mjs 512" \
//       --tasks STS12 --data DIR
import { serve } from '../../sdk/clients/node/senteval_client.mjs';

const dimension = Number(process.argv[2] ?? 512);

function hash(word) {
  let value = 0x811c9dc5; // FNV-1a, 32 bits
  for (const byte of Buffer.from(word)) value = Math.imul(value ^ byte, 0x01000193) >>> 0;
  return value;
}

function encode(sentences) {
  return sentences.map(sentence => {
    const row = new Float32Array(dimension);
    for (const word of sentence.split(' ').filter(word => word)) {
      const value = hash(word);
      row[(value >>> 1) % dimension] += value & 1 ? -1 : 1;
    }
    return row;
  });
}

await serve({ name: 'hashed words', version: '1.0', dimension, encode });
