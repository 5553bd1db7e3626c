/* `npm run docs:site` makes the documentation site in site/html, from README.md and docs/. See docs/explain/decisions/0037-site.md. */
import { build } from 'vitepress';
import { OUTPUT_FOLDER, writePages } from './content.ts';

writePages();
await build(import.meta.dirname);
console.log(`the site is in ${OUTPUT_FOLDER}`);
