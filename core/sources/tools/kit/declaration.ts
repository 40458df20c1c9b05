import type { z } from 'zod';
import type { Json } from '../../../contract/account.ts';
import type { KnownItem, ListedPage, ReadResult, SkippedItem, SourceTools } from '../../source-reader.ts';
import type { ToolClient } from './tool-client.ts';

/** A file that belongs to a record of a tool. */
export interface Attachment {
  /** Within its record. */
  readonly id: string;
  /** As people know the file, with its extension. */
  readonly name: string;
  readonly contentType?: string | null | undefined;
  readonly bytes?: number | null | undefined;
  /** Differs whenever the file does. */
  readonly version: string;
  /** Where it is downloaded. The token goes to the tool's own address only. */
  readonly address: string;
  /** Where visitors find it; the address of its record, if absent. */
  readonly url?: string;
}

/** Why a record is left out on purpose. */
export interface Refusal {
  readonly code: string;
  /** A sentence for the person who set the source up. */
  readonly reason: string;
}

export interface Description {
  /** The tool's own id of the record within its collection, or its path. */
  readonly id: string;
  readonly title?: string | null | undefined;
  readonly url?: string | null | undefined;
  /** Differs whenever reading the record again would give another document. Absent: it is read at each run. */
  readonly version?: string | undefined;
}

export interface Content {
  readonly bytes: Uint8Array | string;
  readonly contentType: string;
  /** Of files, whose names tell their format. */
  readonly fileName?: string;
  /** Documents of their own that the rest of a very large record becomes. */
  readonly rest?: readonly Rest[];
}

/** A part of a record that is read by itself, from the collection `name`. */
export interface Rest extends Description {
  readonly name: string;
  /** The key of the record that it belongs to, if that is not the one that was read. */
  readonly partOf?: string;
}

export interface RecordPage<Found> {
  readonly records: readonly Found[];
  readonly next: Json | null;
  readonly leftOut?: readonly SkippedItem[];
  /** Set if the list names the changes since the last run only. */
  readonly isOfChanges?: boolean;
  /** The ids of records that were deleted since. */
  readonly gone?: readonly string[];
  readonly feed?: Json;
}

/** A list of records of a tool, such as its articles, and how each becomes a document. `Found` is what the API answers. */
export interface Collection<Found extends object> {
  /** The prefix of the ids in the keys of items. It is empty for the one collection whose ids stand alone. */
  readonly name: string;
  /**
   * Requests a part of the list. `next` continues it, also in another process. Absent: its records are parts of others.
   * `since` is the `feed` of the last run, for tools that tell their changes: only with a single list.
   * Throws a SourceError.
   */
  list?(cursor: Json | null, since: Json | null): Promise<RecordPage<Found>>;
  describe(record: Found): Description;
  /** Permissions, drafts, formats: whether the record is left out, and why. It is asked of the list and of `find`. */
  refuse?(record: Found): Refusal | null | Promise<Refusal | null>;
  /** Requests one record. Null if it does not exist. `listed` is what the list has just said of it, if it has. */
  find(id: string, item: KnownItem, listed: Found | undefined): Promise<Found | null>;
  /** Set if the list answers with all that `content` needs: then records of the list are not requested again. */
  readonly isListedWhole?: boolean;
  /** Null if it does not exist by now. */
  content(record: Found): Content | Refusal | null | Promise<Content | Refusal | null>;
  /** Absent: the audience of the source applies. */
  audience?(record: Found): readonly string[] | undefined;
  /** The files of a record. Each becomes a document, and shares the refusal and the audience of its record. */
  attachments?(record: Found): Promise<readonly Attachment[]> | readonly Attachment[];
}

/** A tool that was opened with the values of a source. */
export interface OpenTool {
  readonly collections: readonly ErasedCollection[];
  /** Downloads the attachments. */
  readonly client: ToolClient;
  /** Checks before the list that the place exists, if the list of a missing place is empty. Throws a SourceError. */
  check?(): Promise<void>;
}

/** A tool by its settings and by how its API is asked. The kit does the rest. */
export interface ToolDeclaration<Settings, Credentials> {
  readonly kind: string;
  readonly settings: z.ZodType<Settings>;
  readonly credentials: z.ZodType<Credentials>;
  open(
    values: { readonly settings: Settings; readonly credentials: Credentials },
    tools: SourceTools,
  ): OpenTool;
}

/** A collection whose records only it knows. */
export interface ErasedCollection {
  readonly name: string;
  list: ((cursor: Json | null, since: Json | null) => Promise<ListedPage>) | null;
  read(item: KnownItem): Promise<ReadResult>;
  readAttachment(item: KnownItem, place: { readonly key: string; readonly id: string }): Promise<ReadResult>;
}
