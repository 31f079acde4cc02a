// The mean of a sentence's word vectors, as the encoder glove computes it: bag_of_vectors.mjs VECTORS.txt
import fs from 'node:fs';
import readline from 'node:readline';
import { serve } from './senteval_client.mjs';

const vectors = new Map();
for await (const line of readline.createInterface({ input: fs.createReadStream(process.argv[2]) })) {
  const [word, ...values] = line.trimEnd().split(' ');
  vectors.set(word, Float64Array.from(values, Number));
}
const dimension = vectors.values().next().value.length;

function encode(sentences) {
  return sentences.map(sentence => {
    const known = (sentence || '.').split(' ').map(word => vectors.get(word)).filter(vector => vector);
    const row = new Float64Array(dimension);
    for (const vector of known) vector.forEach((value, i) => { row[i] += value; });
    return known.length > 0 ? row.map(value => value / known.length) : row;
  });
}

await serve({ name: 'bag of vectors', version: '1.0', dimension, encode });
