import { StartError } from './start-error.ts';

interface Listening {
  readonly host: string;
  readonly port: number;
  /** The variable that the port comes from. */
  readonly variable: 'PORT' | 'METRICS_PORT';
}

/** A StartError that says what to do, where an operator can mend why a port cannot be listened on; else the error itself. */
export function explainListenFault(error: unknown, { host, port, variable }: Listening): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  switch (code) {
    case 'EADDRINUSE':
      return new StartError(
        `${variable} holds ${port}, where another program listens on ${host}: stop that one, or choose another port.`,
        error,
      );
    case 'EACCES':
      return new StartError(
        `${variable} holds ${port}, where this user may not listen: choose one from 1024, or run as a user who may.`,
        error,
      );
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new StartError(
        `HOST holds "${host}", which is no address of this machine: use 127.0.0.1, or 0.0.0.0 for all of them.`,
        error,
      );
    default:
      return error;
  }
}
