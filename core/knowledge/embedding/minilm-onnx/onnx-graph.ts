import { EmbeddingError } from '../embedder.ts';
import type { StoredTensor } from './safetensors.ts';

/** A plain number is an integer to ONNX; a floating-point attribute says so. */
export type OnnxAttribute = number | readonly number[] | { readonly float: number };

export interface OnnxNode {
  readonly operator: string;
  /** Empty for the standard operators. */
  readonly domain: string;
  /** An empty name leaves out an optional input. */
  readonly inputs: readonly string[];
  readonly output: string;
  readonly attributes: Readonly<Record<string, OnnxAttribute>>;
}

export interface OnnxValue {
  readonly name: string;
  readonly type: 'int32' | 'float32';
  /** A string names a dimension that is only known when the graph runs. */
  readonly shape: readonly (number | string)[];
}

/** A tensor that is made here; its bytes become part of the model. */
export interface InlineTensor {
  readonly type: 'I8' | 'F32';
  readonly shape: readonly number[];
  readonly bytes: Uint8Array;
}

/** A computation on stored tensors, as ONNX sees it: nodes in the order in which they run. */
export interface OnnxGraph {
  readonly inputs: readonly OnnxValue[];
  readonly outputs: readonly OnnxValue[];
  readonly tensors: ReadonlyMap<string, StoredTensor | InlineTensor>;
  readonly nodes: readonly OnnxNode[];
}

type Attributes = Readonly<Record<string, OnnxAttribute>>;

/** ONNX's number for the element type. */
const FLOAT32 = 1;
/** ONNX Runtime's own operators: a handful of nodes a layer instead of dozens. */
const FUSED = 'com.microsoft';

/** Stored weights: where each tensor lies, and how its numbers are read. */
export interface StoredWeights {
  readonly tensors: ReadonlyMap<string, StoredTensor>;
  read(tensor: StoredTensor): Float32Array;
}

/** Collects nodes and the tensors that they use. */
export class OnnxGraphBuilder {
  readonly tensors = new Map<string, StoredTensor | InlineTensor>();
  readonly nodes: OnnxNode[] = [];
  readonly #weights: StoredWeights;

  constructor(weights: StoredWeights) {
    this.#weights = weights;
  }

  /** Adds a node and returns the name of its output, as the methods that follow do of theirs. */
  add(
    operator: string,
    inputs: readonly string[],
    attributes: Attributes = {},
    { domain = '', output = `${operator}_${this.nodes.length}` } = {},
  ): string {
    this.nodes.push({ operator, domain, inputs, output, attributes });
    return output;
  }

  /** An operator that only ONNX Runtime has. */
  fused(operator: string, inputs: readonly string[], attributes: Attributes = {}): string {
    return this.add(operator, inputs, attributes, { domain: FUSED });
  }

  /** A tensor as it is stored. Throws an EmbeddingError when the weights lack it. */
  stored(name: string): string {
    this.tensors.set(name, this.#find(name));
    return name;
  }

  /** Any value as float32. */
  cast(value: string): string {
    return this.add('Cast', [value], { to: FLOAT32 });
  }

  /** A stored vector as float32. */
  vector(name: string): string {
    return this.cast(this.stored(name));
  }

  integer(value: number): string {
    return this.add('Constant', [], { value_int: value });
  }

  float(value: number): string {
    return this.add('Constant', [], { value_float: { float: value } });
  }

  /** A tensor of one's own. */
  made(name: string, shape: readonly number[], numbers: Int8Array | Float32Array): string {
    const bytes = new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
    this.tensors.set(name, { type: numbers instanceof Int8Array ? 'I8' : 'F32', shape, bytes });
    return name;
  }

  /** The numbers of a stored tensor, to make others of. Throws an EmbeddingError when the weights lack it. */
  read(name: string): Float32Array {
    return this.#weights.read(this.#find(name));
  }

  #find(name: string): StoredTensor {
    const tensor = this.#weights.tensors.get(name);
    if (tensor === undefined) throw new EmbeddingError(`The model weights lack the tensor ${name}.`);
    return tensor;
  }
}
