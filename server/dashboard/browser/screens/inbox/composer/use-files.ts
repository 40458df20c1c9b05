import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useRef, useState } from 'react';
import { toProblem } from '../../../api/problem.ts';
import {
  deleteReplyFile,
  type Place,
  type ReplyFile,
  replyFilesQuery,
  uploadReplyFile,
} from '../../../api/queries/conversation.ts';
import { useTexts } from '../../../texts/texts.tsx';
import { useOutgoing } from './outbox.ts';

/** As the server has them. */
const limits = { bytes: 10 * 2 ** 20, count: 5, all: 25 * 2 ** 20 };

/** A file that is being uploaded. */
export interface Uploading {
  readonly key: string;
  readonly name: string;
  readonly size: number;
  /** The type that the browser derives from the name; empty if it does not know. */
  readonly type: string;
  /** From 0 to 1. */
  readonly share: number;
}

/** A file in the composer, under the same key during and after its upload. */
interface Attached {
  readonly key: string;
  readonly file: ReplyFile | Uploading;
}

export interface ComposerFiles {
  /** The uploaded files, then those in flight. */
  readonly attached: readonly Attached[];
  readonly ready: readonly ReplyFile[];
  readonly uploading: readonly Uploading[];
  /** Why files were not taken. */
  readonly faults: readonly string[];
  readonly add: (files: Iterable<File>) => void;
  readonly remove: (file: ReplyFile | Uploading) => void;
  /** Says that notes take no files. */
  readonly refuse: () => void;
}

/**
 * The files of the reply in the composer. The server keeps uploaded files, so a reload and another browser find them.
 * Files of a reply in flight are left out, and come back with it.
 */
export function useFiles(place: Place): ComposerFiles {
  const { texts } = useTexts();
  const words = texts.conversation.files;
  const client = useQueryClient();
  const { data: stored = [] } = useQuery(replyFilesQuery(place));
  const leaving = useOutgoing(place.conversation).flatMap(({ files }) => files.map(({ id }) => id));
  const ready = stored.filter(({ id }) => !leaving.includes(id));
  const [uploading, setUploading] = useState<readonly Uploading[]>([]);
  const [faults, setFaults] = useState<readonly string[]>([]);
  const aborts = useRef(new Map<string, AbortController>());
  const running = useRef(Promise.resolve());
  /** The keys that files had before the server gave them an id. */
  const keys = useRef(new Map<string, string>());
  /** Requests that change the list of the server. */
  const changes = useRef(0);
  const { queryKey } = replyFilesQuery(place);

  const edit = async (change: (before: ReplyFile[]) => ReplyFile[]) => {
    // The answer to an older request does not contain the change yet.
    await client.cancelQueries({ queryKey });
    client.setQueryData(queryKey, (before: ReplyFile[] = []) => change(before));
  };
  const settle = () => {
    changes.current -= 1;
    // After a failure too, the list shows the state of the server.
    if (changes.current === 0) void client.invalidateQueries({ queryKey });
  };
  const discard = async (id: string) => {
    changes.current += 1;
    await edit((before) => before.filter((each) => each.id !== id));
    await deleteReplyFile(place, id)
      .catch((error: unknown) => setFaults([toProblem(error).message]))
      .finally(settle);
  };

  const send = async (file: File, key: string, signal: AbortSignal) => {
    const onProgress = (share: number) =>
      setUploading((before) => before.map((each) => (each.key === key ? { ...each, share } : each)));
    try {
      signal.throwIfAborted();
      const sent = await uploadReplyFile(place, { file, onProgress, signal });
      keys.current.set(sent.id, key);
      if (!signal.aborted) await edit((before) => [...before, sent]);
      // The person may have removed it while the server stored it.
      if (signal.aborted) await discard(sent.id);
    } catch (error) {
      const why = toProblem(error).message || words.unreachable;
      if (!signal.aborted) setFaults((before) => [...before, words.refused(file.name, why)]);
    } finally {
      aborts.current.delete(key);
      setUploading((before) => before.filter((each) => each.key !== key));
      settle();
    }
  };
  const upload = (file: File) => {
    const key = crypto.randomUUID();
    const abort = new AbortController();
    aborts.current.set(key, abort);
    changes.current += 1;
    setUploading((before) => [
      ...before,
      { key, name: file.name, size: file.size, type: file.type, share: 0 },
    ]);
    // Files are uploaded one after the other, so that they keep their places under the pointer, and reach the visitor in
    // this order.
    running.current = running.current.then(() => send(file, key, abort.signal));
  };

  const add = (files: Iterable<File>) => {
    const refused: string[] = [];
    let count = ready.length + uploading.length;
    let all =
      ready.reduce((sum, file) => sum + file.byte_count, 0) +
      uploading.reduce((sum, file) => sum + file.size, 0);
    for (const file of files) {
      if (file.size > limits.bytes) refused.push(words.tooLarge(file.name));
      else if (file.size === 0) refused.push(words.empty(file.name));
      else if (count === limits.count) refused.push(words.tooMany(file.name));
      else if (all + file.size > limits.all) refused.push(words.tooMuch(file.name));
      else {
        count += 1;
        all += file.size;
        upload(file);
      }
    }
    setFaults(refused);
  };

  const remove = (file: ReplyFile | Uploading) => {
    setFaults([]);
    if ('key' in file) {
      const abort = aborts.current.get(file.key);
      abort?.abort();
      setUploading((before) => before.filter(({ key }) => key !== file.key));
      // Its upload ended before the chip was drawn again.
      const [id] = [...keys.current].find(([, key]) => key === file.key) ?? [];
      if (abort === undefined && id !== undefined) void discard(id);
      return;
    }
    void discard(file.id);
  };

  const refuse = useCallback(() => setFaults([words.notInNotes]), [words]);
  const kept = ready.map((file) => ({ key: keys.current.get(file.id) ?? file.id, file }));
  // For a moment a file is in both lists, because the end of its upload is drawn after the answer of the server.
  const coming = uploading.filter(({ key }) => kept.every((one) => one.key !== key));
  const attached = [...kept, ...coming.map((file) => ({ key: file.key, file }))];
  return { attached, ready, uploading, faults, add, remove, refuse };
}
