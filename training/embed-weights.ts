/** `embed-weights.ts <model.bin> <module.ts> <NAME>`: puts an exported network into a module, so that the build carries it. */
import { readFileSync, writeFileSync } from 'node:fs';

const [model = '', target = '', name = ''] = process.argv.slice(2);
const text = readFileSync(model).toString('base64');
writeFileSync(
  target,
  `/** Made by training/embed-weights.ts from what training/train.py exported. */\nexport const ${name} =\n  '${text}';\n`,
);
