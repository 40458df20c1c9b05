import { canLoadOnnx } from '../helpers/models/embedding/can-load-onnx.ts';
import type { EngineName } from './read-options.ts';

/** Returns the wanted engine, or every one that loads on this machine. */
export function chooseEngines(wanted: EngineName | undefined): readonly EngineName[] {
  if (wanted !== undefined) return [wanted];
  return canLoadOnnx() ? ['onnx', 'wasm'] : ['wasm'];
}
