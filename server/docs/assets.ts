import { readFile } from 'node:fs/promises';
import { type CompressedBody, compressBody } from '../plugins/compression.ts';

interface Asset {
  /** Carries the hash of the content, so that browsers may keep it for ever. */
  readonly name: string;
  readonly contentType: string;
  readonly body: CompressedBody;
}

export interface DocsAssets {
  readonly style: Asset;
  readonly script: Asset;
}

const target = ['chrome109', 'firefox115', 'safari16.4'];

/** The style and the script of the documentation pages, minified. */
export async function loadAssets(): Promise<DocsAssets> {
  const [style, script] = await Promise.all([
    createAsset('docs.css', { loader: 'css', contentType: 'text/css; charset=utf-8' }),
    createAsset('docs-page.ts', { loader: 'ts', contentType: 'text/javascript; charset=utf-8' }),
  ]);
  return { style, script };
}

async function createAsset(
  file: string,
  { loader, contentType }: { readonly loader: 'css' | 'ts'; readonly contentType: string },
): Promise<Asset> {
  // The bundler takes 10 MB of memory: only a process whose documentation is read loads it.
  const { transform } = await import('esbuild');
  const source = await readFile(new URL(`browser/${file}`, import.meta.url), 'utf8');
  const { code } = await transform(source, { loader, minify: true, target });
  const body = await compressBody(code.trim());
  return { name: `docs-${body.hash}.${loader === 'css' ? 'css' : 'js'}`, contentType, body };
}
