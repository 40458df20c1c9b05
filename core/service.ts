/** A part of the product that runs until it is stopped: a server, or workers. */
export interface Service {
  /** Where it can be reached, when it listens. */
  readonly address?: string;
  /** Takes nothing new and resolves when what runs is done. */
  stop(): Promise<void>;
}
