import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

/**
 * Disables the telemetry of ONNX Runtime, which otherwise reports to its vendor under an identity that it
 * generates for the machine (https://github.com/microsoft/onnxruntime/pull/27379). It reads the process
 * environment when it is loaded, so a thread, which has a copy of the environment, cannot disable it.
 */
export function disableTelemetry(environment: NodeJS.ProcessEnv): void {
  environment.ORT_DISABLE_TELEMETRY ??= '1';
}

const folder = fileURLToPath(new URL('../../node_modules/.cache/parley', import.meta.url));

/**
 * Stores the compiled form of all later imports, with types stripped, for the next start. The cache is in
 * node_modules, where only users who may change the code can write. Nothing is stored if that folder is
 * read-only.
 */
export function useCompileCache(environment: NodeJS.ProcessEnv): void {
  enableCompileCache(folder);
  // Threads inherit the environment, but not the call above.
  environment.NODE_COMPILE_CACHE ??= folder;
}

type Replaceable = Pick<NodeJS.Process, 'platform' | 'env' | 'execve' | 'execPath' | 'execArgv' | 'argv'>;

/**
 * Replaces this process by the same program with a setting that glibc reads at its start only. With it, glibc gives memory
 * that threads have freed back to the system: a third of what a process holds after it has indexed. Costs 50 ms. Other
 * C libraries and systems need no such setting.
 */
export function returnFreedMemory({ platform, env, execve, execPath, execArgv, argv }: Replaceable): void {
  if (platform !== 'linux' || execve === undefined || env.MALLOC_TRIM_THRESHOLD_ !== undefined) return;
  const args = [execPath, ...execArgv, ...argv.slice(1)];
  execve(execPath, args, { ...env, MALLOC_TRIM_THRESHOLD_: '131072' });
}
