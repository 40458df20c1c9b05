import { closeSync, fsyncSync, openSync } from 'node:fs';
import { z } from 'zod';

/**
 * Returns start parameters that enable fsync, which PGlite disables by default. `wal_sync_method=fsync` is the
 * only method that its file layer can pass on. `max_wal_size` keeps the folder small. The engine touches all of its
 * `shared_buffers` when it starts, 128 MB by default: 32 MB hold the pages that are read often, and a miss reads the
 * operating system's cache.
 */
export function durableStartParameters(defaults: readonly string[]): string[] {
  const parameters = defaults.filter((parameter) => parameter !== '-F');
  return [
    ...parameters,
    '-c',
    'wal_sync_method=fsync',
    '-c',
    'max_wal_size=256MB',
    '-c',
    'min_wal_size=32MB',
    '-c',
    'shared_buffers=32MB',
  ];
}

const fileLayer = z.object({
  root: z.object({ mount: z.object({ mounts: z.array(z.custom<Mount>(isMount)) }) }),
});

interface Stream {
  readonly nfd?: number;
  readonly node: object;
}

interface Mount {
  readonly opts: { readonly root?: string };
  readonly type: { realPath(node: object): string; stream_ops: { fsync?: (stream: Stream) => number } };
}

function isMount(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'opts' in value && 'type' in value;
}

/**
 * Passes PostgreSQL's fsync on to the real files, so that an acknowledged commit is on disk. `emscriptenFs` is
 * the engine's file layer (`PGlite.Module.FS`). Returns false if its structure is unknown. Commits then survive
 * a killed process, but possibly not a power failure.
 */
export function passFsyncOn(emscriptenFs: unknown): boolean {
  const parsed = fileLayer.safeParse(emscriptenFs);
  const mount = parsed.data?.root.mount.mounts.find((candidate) => candidate.opts.root !== undefined);
  if (mount === undefined) return false;
  mount.type.stream_ops.fsync = (stream) => {
    if (stream.nfd === undefined) syncFolder(mount.type.realPath(stream.node));
    else fsyncSync(stream.nfd);
    return 0;
  };
  return true;
}

function syncFolder(path: string): void {
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
