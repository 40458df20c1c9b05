import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type IndexSize, smallWorkspaceChunks } from './contenders/contender.ts';
import type { ContenderName } from './contenders/open-contender.ts';
import { folderBytes } from './folder-bytes.ts';
import { buildStep } from './steps/build-step.ts';
import { runStep } from './steps/run-step.ts';

export interface BuiltIndex {
  readonly folder: string;
  readonly size: IndexSize;
  readonly seconds: number;
  readonly bytesPerChunk: number;
}

interface Dependencies {
  readonly folder: string;
  readonly samplesFile: string;
  progress(text: string): void;
}

const smallWorkspaces = 200;
const sizeWithSmallWorkspaces = 50_000;

/** The indexes that contenders keep on disk, each built once in a run. */
export class Indexes {
  readonly #dependencies: Dependencies;
  readonly #built = new Map<string, Promise<BuiltIndex>>();

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
  }

  of(contender: ContenderName, chunks: number): Promise<BuiltIndex> {
    const name = `${contender} ${chunks}`;
    const index =
      this.#built.get(name) ?? this.#build(contender, chunks, join(this.#dependencies.folder, name));
    this.#built.set(name, index);
    return index;
  }

  async #build(contender: ContenderName, chunks: number, folder: string): Promise<BuiltIndex> {
    const { samplesFile, progress } = this.#dependencies;
    const size = indexSizeOf(contender, chunks);
    progress(`${contender}: indexing ${chunks} chunks`);
    await mkdir(folder);
    const { seconds } = await runStep(
      buildStep,
      { contender, folder, samplesFile, size },
      2 + chunks / 2_000,
    );
    const all = chunks + size.smallWorkspaces * smallWorkspaceChunks;
    return { folder, size, seconds, bytesPerChunk: (await folderBytes(folder)) / all };
  }
}

/** Only Parley gets other workspaces: the contenders have no notion of a workspace. */
export function indexSizeOf(contender: ContenderName, chunks: number): IndexSize {
  const isOurs = contender.startsWith('Parley');
  return { chunks, smallWorkspaces: isOurs && chunks === sizeWithSmallWorkspaces ? smallWorkspaces : 0 };
}
