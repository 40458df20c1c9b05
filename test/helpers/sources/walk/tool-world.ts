import type { SourceKind } from '../../../../core/sources/source-reader.ts';
import type { ToolAnswer, ToolBench, ToolCall, ToolStandIn } from '../tools/tool-bench.ts';

/** Returns the kind that the walk runs: the one that it is given, or one with a planted fault. */
export type WrapKind = <Settings, Credentials>(
  kind: SourceKind<Settings, Credentials>,
) => SourceKind<Settings, Credentials>;

export const sameKind: WrapKind = (kind) => kind;

export interface WalkFile {
  readonly name: string;
  readonly type: string;
  readonly bytes: Uint8Array;
}

/** A tool's stand-in with records that the walk makes up. Numbers of records are 1 to 9. */
export interface ToolWorld {
  readonly bench: ToolBench<unknown, unknown>;
  /** A secret that stands in the headers of requests, and only of those to `origins`. */
  readonly secret: string;
  readonly origins: readonly string[];
  /** Set if the API has everything in one answer. */
  readonly isOnePage?: boolean;
  /** Keys of what the tool has besides the records. */
  readonly others?: readonly string[];
  /** Adds or changes a record. Returns its key. */
  put(number: number, text: string): string;
  remove(number: number): void;
  /** Lets the API refuse the record with 403. Absent: the API has no such answer for a single record. */
  forbid?(number: number): void;
  /** Gives a record another name or place, under the same id. Absent: the place is the id. */
  move?(number: number): void;
  /** Lets a record be left out, by the code that says so. */
  readonly hide?: Readonly<Record<string, (number: number) => void>>;
  attach?(number: number, file: WalkFile): void;
  detach?(number: number, name: string): void;
  /** Puts more parts into a record than one answer of the API holds. Returns the texts of all. */
  nest?(number: number): readonly string[];
  /** Gives a record every kind of field. Returns the texts that must be read. */
  describe?(number: number): readonly string[];
}

export interface WalkedTool {
  readonly name: string;
  open(wrap: WrapKind, token?: 'right' | 'wrong'): ToolWorld;
}

/** A host of files that is no part of a tool's API. It refuses requests with credentials, as storage does. */
export class FileHost implements ToolStandIn {
  readonly origin: string;
  readonly files = new Map<string, WalkFile>();

  constructor(origin: string) {
    this.origin = origin;
  }

  /** Returns the address of the file. */
  add(path: string, file: WalkFile): string {
    this.files.set(path, file);
    return this.origin + path;
  }

  respond({ url, headers }: ToolCall): ToolAnswer {
    if (headers.has('authorization') || headers.has('private-token')) return { status: 400 };
    const file = this.files.get(decodeURIComponent(url.pathname));
    return file === undefined
      ? { status: 404 }
      : { bytes: file.bytes, headers: { 'content-type': file.type } };
  }
}
