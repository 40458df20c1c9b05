import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

/**
 * Keeps what this process runs from those who made it. ONNX Runtime tells its maker otherwise, under an identity that it
 * makes for the machine (https://github.com/microsoft/onnxruntime/pull/27379). It reads the environment of the process
 * when it is loaded: threads, which have a copy, cannot forbid it.
 */
export function disableTelemetry(environment: NodeJS.ProcessEnv): void {
  environment.ORT_DISABLE_TELEMETRY ??= '1';
}

const folder = fileURLToPath(new URL('../../node_modules/.cache/parley', import.meta.url));

/**
 * What this process imports from here on is kept as it was compiled, types stripped, for the next one: among the
 * packages, where only those may write who may change the code itself. Where that folder is read-only nothing is kept.
 */
export function useCompileCache(environment: NodeJS.ProcessEnv): void {
  enableCompileCache(folder);
  // Threads begin with the environment, and know nothing of the call.
  environment.NODE_COMPILE_CACHE ??= folder;
}
