import { fileURLToPath } from 'node:url';
import { InferenceSession, Tensor } from 'onnxruntime-node';
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

/** The loaded reader in the thread that runs it. */
interface PairEngine {
  read(pair: ReadingPair): Promise<PairReading>;
}

/** Loads the reader into ONNX Runtime, with the options of the embedding model. Rejects if a file is missing. */
export async function openPairEngine(options: PairEngineOptions): Promise<PairEngine> {
  const { tokenizer, weightsFolder, threads } = options;
  const session = await InferenceSession.create(MODEL, {
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
  return {
    async read(pair) {
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
    },
  };
}
