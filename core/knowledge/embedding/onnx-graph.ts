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
export interface MadeTensor {
  readonly type: 'I8' | 'F32';
  readonly shape: readonly number[];
  readonly bytes: Uint8Array;
}

/** A computation on stored tensors, as ONNX sees it: nodes in the order in which they run. */
export interface OnnxGraph {
  readonly inputs: readonly OnnxValue[];
  readonly outputs: readonly OnnxValue[];
  readonly tensors: ReadonlyMap<string, StoredTensor | MadeTensor>;
  readonly nodes: readonly OnnxNode[];
}
