import { EmbeddingError } from './embedding-error.ts';
import type { OnnxAttribute, OnnxNode } from './onnx-graph.ts';
import type { StoredTensor } from './safetensors.ts';

type Attributes = Readonly<Record<string, OnnxAttribute>>;

/** ONNX's number for the element type. */
const FLOAT32 = 1;
/** ONNX Runtime's own operators: a handful of nodes a layer instead of dozens. */
const FUSED = 'com.microsoft';

/** Collects nodes and the stored tensors that they use. Every method returns the name of the value that it adds. */
export class OnnxGraphBuilder {
  readonly tensors = new Map<string, StoredTensor>();
  readonly nodes: OnnxNode[] = [];
  readonly #available: ReadonlyMap<string, StoredTensor>;

  constructor(available: ReadonlyMap<string, StoredTensor>) {
    this.#available = available;
  }

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
    const tensor = this.#available.get(name);
    if (tensor === undefined) throw new EmbeddingError(`The model weights lack the tensor ${name}.`);
    this.tensors.set(name, tensor);
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

  /** A stored weight of a linear layer, turned from [out, in] to the [in, out] that a matrix product takes. */
  matrix(name: string): string {
    return this.add('Transpose', [this.vector(name)], { perm: [1, 0] });
  }

  integer(value: number): string {
    return this.add('Constant', [], { value_int: value });
  }
}
