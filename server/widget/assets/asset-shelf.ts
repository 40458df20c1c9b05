import type { Assets } from './bundle.ts';

/** The browser's scripts, made when the first browser asks for them and kept as long as the process lives. */
export class AssetShelf {
  #building: Promise<Assets> | undefined;

  get(): Promise<Assets> {
    this.#building ??= build().catch((error: unknown) => {
      this.#building = undefined;
      throw error;
    });
    return this.#building;
  }
}

async function build(): Promise<Assets> {
  // A bundler, which only an installation with a widget or a page needs.
  const { buildAssets } = await import('./bundle.ts');
  return buildAssets();
}

/** What all servers of a process share. */
export const assetShelf = new AssetShelf();
