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

/** A file on its way to the server. */
export interface Uploading {
  readonly key: string;
  readonly name: string;
  readonly size: number;
  /** From 0 to 1. */
  readonly share: number;
}

export interface ComposerFiles {
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
 * The files of the reply that is being written. The server keeps what was uploaded, so a reload and another browser find it;
 * those of a reply that is on its way are left out, and come back with it.
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
  const { queryKey } = replyFilesQuery(place);

  const upload = async (file: File) => {
    const key = crypto.randomUUID();
    const abort = new AbortController();
    aborts.current.set(key, abort);
    setUploading((before) => [...before, { key, name: file.name, size: file.size, share: 0 }]);
    const onProgress = (share: number) =>
      setUploading((before) => before.map((each) => (each.key === key ? { ...each, share } : each)));
    try {
      const sent = await uploadReplyFile(place, { file, onProgress, signal: abort.signal });
      await client.cancelQueries({ queryKey });
      client.setQueryData(queryKey, (before: ReplyFile[] = []) => [...before, sent]);
    } catch (error) {
      const why = toProblem(error).message || words.unreachable;
      if (!abort.signal.aborted) setFaults((before) => [...before, words.refused(file.name, why)]);
    } finally {
      aborts.current.delete(key);
      setUploading((before) => before.filter((each) => each.key !== key));
    }
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
        void upload(file);
      }
    }
    setFaults(refused);
  };

  const remove = (file: ReplyFile | Uploading) => {
    setFaults([]);
    if ('key' in file) {
      aborts.current.get(file.key)?.abort();
      return;
    }
    client.setQueryData(queryKey, (before: ReplyFile[] = []) => before.filter(({ id }) => id !== file.id));
    // After a failure the list of the server shows what it has.
    void deleteReplyFile(place, file.id).catch(() => client.invalidateQueries({ queryKey }));
  };

  const refuse = useCallback(() => setFaults([words.notInNotes]), [words]);
  return { ready, uploading, faults, add, remove, refuse };
}
