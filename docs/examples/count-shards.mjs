// Counts the documents and tokens of a shard folder with Arrow's own reader for JavaScript.
//   npm install apache-arrow && node count-shards.mjs FOLDER
import { readFileSync } from 'node:fs';
import { tableFromIPC } from 'apache-arrow';

const folder = process.argv[2];
const manifest = JSON.parse(readFileSync(`${folder}/manifest.json`, 'utf8'));
for (const [split, entry] of Object.entries(manifest.splits)) {
  let documents = 0;
  let tokens = 0;
  let textBytes = 0n;
  let first;
  let last;
  for (const { file } of entry.shards) {
    for (const row of tableFromIPC(readFileSync(`${folder}/${file}`))) {
      const ids = row.tokens.toArray();
      documents += 1;
      tokens += ids.length;
      textBytes += row.bytes;
      first ??= ids.slice(0, 5);
      last = ids.slice(-5);
    }
  }
  const agrees = documents === entry.documents && tokens === entry.tokens;
  if (!agrees) {
    process.exitCode = 1;
  }
  console.log(`${split}: ${documents} documents, ${tokens} tokens, ${textBytes} bytes of text,`,
      `first ${first}, last ${last},`, agrees ? 'as in the manifest' : 'NOT AS IN THE MANIFEST');
}
