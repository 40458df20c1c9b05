import type { Output } from './output/output.ts';
import type { OperatorApi } from './transports/operator-api.ts';

/** What a command works with. */
export interface Session {
  readonly api: OperatorApi;
  readonly output: Output;
  /** Aborts when the person stops the command. */
  readonly signal: AbortSignal;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** The options that every command has. */
export interface CommonOptions {
  readonly json?: true | undefined;
  readonly server?: string | undefined;
}

export interface Work {
  /** Whether documents are to be indexed meanwhile, where this process is the whole installation. */
  readonly indexing?: boolean;
  readonly run: (session: Session) => Promise<void>;
}

/** Carries out the commands: opens the API, does the work, and closes everything again. */
export interface CommandLine {
  carryOut(options: CommonOptions, work: Work): Promise<void>;
  /** For what can be told without the API. */
  tell(options: CommonOptions, say: (output: Output) => void): void;
  /** Writes the help, or the version. */
  help(text: string): void;
}
