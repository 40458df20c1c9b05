/**
 * Keeps what this process runs from those who made it. ONNX Runtime tells its maker otherwise, under an identity that it
 * makes for the machine (https://github.com/microsoft/onnxruntime/pull/27379). It reads the environment of the process
 * when it is loaded: threads, which have a copy, cannot forbid it.
 */
export function reportNothing(environment: NodeJS.ProcessEnv): void {
  environment.ORT_DISABLE_TELEMETRY ??= '1';
}
