import { createRequire } from 'node:module';

/** Whether the optional package onnxruntime-node is installed and has a binary for this platform. */
export function canLoadOnnx(): boolean {
  try {
    createRequire(import.meta.url).resolve(
      `onnxruntime-node/bin/napi-v6/${process.platform}/${process.arch}/onnxruntime_binding.node`,
    );
    return true;
  } catch {
    return false;
  }
}
