import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { type AssetSet, assetSchema, browserTargets, createAsset } from '../pages/assets.ts';
import { useBundler } from '../pages/bundler.ts';

const assetsSchema = z.object({ style: assetSchema, script: assetSchema });

export type DocsAssets = z.output<typeof assetsSchema>;

/** The style and the script of the documentation pages. */
export const docsAssets: AssetSet<DocsAssets> = {
  name: 'docs',
  assets: assetsSchema,
  sourceFolder: new URL('browser/', import.meta.url),
  builders: [new URL(import.meta.url)],
  async build() {
    const [style, script] = await Promise.all([minify('docs.css', 'css'), minify('docs-page.ts', 'ts')]);
    return {
      style: await createAsset('docs', 'css', style),
      script: await createAsset('docs', 'js', script),
    };
  },
};

async function minify(file: string, loader: 'css' | 'ts'): Promise<string> {
  const source = await readFile(new URL(`browser/${file}`, import.meta.url), 'utf8');
  const { code } = await useBundler(({ transform }) =>
    transform(source, { loader, minify: true, target: browserTargets }),
  );
  return code.trim();
}
