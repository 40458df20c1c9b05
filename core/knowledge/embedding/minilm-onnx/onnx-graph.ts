import { EmbeddingError } from '../embedder.ts';
import type { StoredTensor } from './safetensors.ts';

/** A plain number is encoded as an integer; `{ float }` marks a floating-point attribute. */
export type OnnxAttribute = number | readonly number[] | { readonly float: number };

export interface OnnxNode {
  readonly operator: string;
  /** Empty for the standard operators. */
  readonly domain: string;
  /** An empty name omits an optional input. */
  readonly inputs: readonly string[];
  readonly output: string;
  readonly attributes: Readonly<Record<string, OnnxAttribute>>;
}

export interface OnnxValue {
  readonly name: string;
  readonly type: 'int32' | 'float32';
  /** A string names a dimension whose size is only known at run time. */
  readonly shape: readonly (number | string)[];
}

/** A tensor computed at build time; its bytes become part of the model. */
export interface InlineTensor {
  readonly type: 'I8' | 'F32';
  readonly shape: readonly number[];
  readonly bytes: Uint8Array;
}

/** A computation on stored tensors in ONNX's terms. Nodes are in the order of execution. */
export interface OnnxGraph {
  readonly inputs: readonly OnnxValue[];
  readonly outputs: readonly OnnxValue[];
  readonly tensors: ReadonlyMap<string, StoredTensor | InlineTensor>;
  readonly nodes: readonly OnnxNode[];
}

type Attributes = Readonly<Record<string, OnnxAttribute>>;

/** Number of the element type in ONNX's TensorProto.DataType. */
const FLOAT32 = 1;
/** Domain of ONNX Runtime's own operators, which need a handful of nodes per layer instead of dozens. */
const FUSED_DOMAIN = 'com.microsoft';

/** Stored weights: the location of each tensor, and a function that reads its numbers. */
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

  /** Adds a node and returns the name of its output. The methods below return the name of their output too. */
  add(
    operator: string,
    inputs: readonly string[],
    attributes: Attributes = {},
    { domain = '', output = `${operator}_${this.nodes.length}` } = {},
  ): string {
    this.nodes.push({ operator, domain, inputs, output, attributes });
    return output;
  }

  /** Adds an operator of ONNX Runtime's own domain. */
  fused(operator: string, inputs: readonly string[], attributes: Attributes = {}): string {
    return this.add(operator, inputs, attributes, { domain: FUSED_DOMAIN });
  }

  /** Adds a tensor in its stored type. Throws an EmbeddingError if the weights lack it. */
  stored(name: string): string {
    this.tensors.set(name, this.#find(name));
    return name;
  }

  /** Casts a value to float32. */
  cast(value: string): string {
    return this.add('Cast', [value], { to: FLOAT32 });
  }

  /** Adds a stored vector, cast to float32. */
  vector(name: string): string {
    return this.cast(this.stored(name));
  }

  integer(value: number): string {
    return this.add('Constant', [], { value_int: value });
  }

  float(value: number): string {
    return this.add('Constant', [], { value_float: { float: value } });
  }

  /** Adds a tensor computed at build time. */
  made(name: string, shape: readonly number[], numbers: Int8Array | Float32Array): string {
    const bytes = new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
    this.tensors.set(name, { type: numbers instanceof Int8Array ? 'I8' : 'F32', shape, bytes });
    return name;
  }

  /** Reads the numbers of a stored tensor. Throws an EmbeddingError if the weights lack it. */
  read(name: string): Float32Array {
    return this.#weights.read(this.#find(name));
  }

  #find(name: string): StoredTensor {
    const tensor = this.#weights.tensors.get(name);
    if (tensor === undefined) throw new EmbeddingError(`The model weights lack the tensor ${name}.`);
    return tensor;
  }
}
