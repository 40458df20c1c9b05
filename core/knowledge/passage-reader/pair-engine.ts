import { fileURLToPath } from 'node:url';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { runInBackground } from '../../base/async.ts';
import { EmbeddingError } from '../embedding/embedder.ts';
import type { WordPieceTokenizer } from '../embedding/minilm-onnx/word-piece-tokenizer.ts';
import type { PairReading, ReadingPair } from '../embedding/thread-messages.ts';
import { encodePair, sumUnitShares } from './encode-pair.ts';

const MODEL = fileURLToPath(new URL('./model/reader-int8.onnx', import.meta.url));

interface PairEngineOptions {
  readonly tokenizer: WordPieceTokenizer;
  /** The folder of the embedding model's safetensors file, whose word vectors the reader uses. */
  readonly weightsFolder: string;
  /** Threads per run. */
  readonly threads: number;
}

interface PairEngine {
  /** Reads a pair. Rejects if the model cannot be loaded or run. */
  read(pair: ReadingPair): Promise<PairReading>;
}

/** Loading takes 40 ms, and a loaded reader about 20 MB. */
const IDLE_MS = 60_000;

/** Creates the reader in the thread that runs it. The first pair loads it; after a minute without pairs it is released. */
export function createPairEngine(options: PairEngineOptions): PairEngine {
  let loaded: Promise<InferenceSession> | null = null;
  let idle: NodeJS.Timeout | undefined;
  const release = () => {
    const released = loaded?.then((session) => session.release());
    loaded = null;
    // A reader that could not be loaded has told so by its pairs.
    if (released !== undefined) runInBackground(released, () => {});
  };
  return {
    async read(pair) {
      clearTimeout(idle);
      loaded ??= loadSession(options);
      try {
        return await readPair(await loaded, options.tokenizer, pair);
      } finally {
        idle = setTimeout(release, IDLE_MS).unref();
      }
    },
  };
}

/** Loads the model into ONNX Runtime, with the options of the embedding model. */
function loadSession({ weightsFolder, threads }: PairEngineOptions): Promise<InferenceSession> {
  return InferenceSession.create(MODEL, {
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    graphOptimizationLevel: 'basic',
    extra: {
      session: {
        intra_op: { allow_spinning: '0' },
        model_external_initializers_file_folder_path: weightsFolder,
      },
    },
  });
}

async function readPair(
  session: InferenceSession,
  tokenizer: WordPieceTokenizer,
  pair: ReadingPair,
): Promise<PairReading> {
  const { pieces, types, owners } = encodePair(tokenizer, pair);
  const shape = [1, pieces.length];
  const { relevance, span } = await session.run({
    pieces: new Tensor('int32', pieces, shape),
    types: new Tensor('int32', types, shape),
  });
  if (!(relevance?.data instanceof Float32Array) || !(span?.data instanceof Float32Array))
    throw new EmbeddingError('ONNX Runtime returned no reading.');
  const [logit = Number.NaN] = relevance.data;
  if (!Number.isFinite(logit)) throw new EmbeddingError('The reader returned no number.');
  return { relevance: logit, unitShares: sumUnitShares(span.data, owners, pair.units.length) };
}
