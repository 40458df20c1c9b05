import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { type AssetSet, assetSchema, browserTargets, createAsset } from '../pages/assets.ts';
import { useBundler } from '../pages/bundler.ts';

const assetsSchema = z.object({
  /** The script that pages include. */
  loader: assetSchema,
  /** The script that the loader fetches when the chat opens. */
  chat: assetSchema,
  /** The script of the hosted page. */
  page: assetSchema,
  /** The script of previews in the dashboard, which runs before the loader or the script of the page. */
  preview: assetSchema,
  /** The styles of the hosted page, which include those of the chat. */
  style: assetSchema,
});

export type Assets = z.output<typeof assetsSchema>;

const sourceFolder = new URL('../../connectors/widget/browser/', import.meta.url);

export const widgetAssets: AssetSet<Assets> = {
  name: 'widget',
  assets: assetsSchema,
  sourceFolder,
  builders: [new URL(import.meta.url)],
  build: buildAssets,
};

/** Bundles the browser sources. It takes up to a second, once per process. */
export async function buildAssets(): Promise<Assets> {
  const [chatStyle, launcherStyle, pageStyle] = await Promise.all(
    ['chat.css', 'launcher.css', 'page.css'].map(minifyStyle),
  );
  const style = `${chatStyle}${pageStyle}`;
  const [loader, chat, page, preview] = await Promise.all([
    bundleScript('loader', 'iife', { LAUNCHER_STYLE: JSON.stringify(launcherStyle) }),
    bundleScript('chat', 'esm', { CHAT_STYLE: JSON.stringify(chatStyle) }),
    bundleScript('page', 'esm', { CHAT_STYLE: '""' }),
    bundleScript('preview', 'iife', {}),
  ]);
  const [loaderAsset, chatAsset, pageAsset, previewAsset, styleAsset] = await Promise.all([
    createAsset('loader', 'js', loader),
    createAsset('chat', 'js', chat),
    createAsset('page', 'js', page),
    createAsset('preview', 'js', preview),
    createAsset('page', 'css', style),
  ]);
  return { loader: loaderAsset, chat: chatAsset, page: pageAsset, preview: previewAsset, style: styleAsset };
}

async function minifyStyle(file: string): Promise<string> {
  const source = await readFile(new URL(file, sourceFolder), 'utf8');
  const { code } = await useBundler(({ transform }) =>
    transform(source, { loader: 'css', minify: true, target: browserTargets }),
  );
  return code.trim();
}

async function bundleScript(
  name: string,
  format: 'iife' | 'esm',
  define: Readonly<Record<string, string>>,
): Promise<string> {
  const { outputFiles } = await useBundler(({ build }) =>
    build({
      entryPoints: [fileURLToPath(new URL(`${name}.ts`, sourceFolder))],
      bundle: true,
      minify: true,
      write: false,
      charset: 'utf8',
      legalComments: 'none',
      logLevel: 'silent',
      define: { ...define },
      format,
      target: browserTargets,
    }),
  );
  return outputFiles.map(({ text }) => text).join('');
}
