import { type CompressedBody, compressBody } from '../plugins/compression.ts';

/** A script or style as browsers receive it. */
export interface Asset {
  /** The file name, with a hash of the content. */
  readonly name: string;
  readonly contentType: string;
  readonly body: CompressedBody;
}

const contentTypes = { css: 'text/css; charset=utf-8', js: 'text/javascript; charset=utf-8' } as const;

/** The oldest browsers that scripts and styles are built for. */
export const browserTargets = ['chrome109', 'firefox115', 'safari16.4'];

/** For assets whose name contains the hash of their content. */
export const foreverCaching = 'public, max-age=31536000, immutable';

export async function createAsset(
  name: string,
  extension: keyof typeof contentTypes,
  text: string,
): Promise<Asset> {
  const body = await compressBody(text);
  return { name: `${name}-${body.hash}.${extension}`, contentType: contentTypes[extension], body };
}
