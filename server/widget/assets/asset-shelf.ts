import { type Assets, buildAssets } from './bundle.ts';

/** The browser's scripts, made when the first browser asks for them and kept as long as the process lives. */
export class AssetShelf {
  #building: Promise<Assets> | undefined;

  get(): Promise<Assets> {
    this.#building ??= buildAssets().catch((error: unknown) => {
      this.#building = undefined;
      throw error;
    });
    return this.#building;
  }
}

/** What all servers of a process share. */
export const assetShelf = new AssetShelf();
