import { readFile } from 'node:fs/promises';
import { type Asset, browserTargets, createAsset } from '../pages/assets.ts';

export interface DocsAssets {
  readonly style: Asset;
  readonly script: Asset;
}

/** Builds the style and the script of the documentation pages. */
export async function loadAssets(): Promise<DocsAssets> {
  const [style, script] = await Promise.all([minify('docs.css', 'css'), minify('docs-page.ts', 'ts')]);
  return {
    style: await createAsset('docs', 'css', style),
    script: await createAsset('docs', 'js', script),
  };
}

async function minify(file: string, loader: 'css' | 'ts'): Promise<string> {
  // The bundler takes 10 MB of memory: only a process whose documentation is read loads it.
  const { transform } = await import('esbuild');
  const source = await readFile(new URL(`browser/${file}`, import.meta.url), 'utf8');
  const { code } = await transform(source, { loader, minify: true, target: browserTargets });
  return code.trim();
}
