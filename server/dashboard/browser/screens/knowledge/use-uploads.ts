import { useCallback, useEffect, useRef, useState } from 'react';
import { Problem, toProblem } from '../../api/problem.ts';
import { uploadFile, useRefreshDocuments } from '../../api/queries/documents.ts';
import { useTexts } from '../../texts/texts.tsx';

export interface UploadState {
  readonly id: number;
  readonly name: string;
  /** The share that is done, between 0 and 1; null while it waits for its turn. */
  readonly share: number | null;
  readonly fault: Problem | null;
}

interface Waiting {
  readonly id: number;
  readonly file: File;
  readonly ending: AbortController;
}

const maxBytes = 25 * 2 ** 20;

/** Files on their way to the server, two at a time. A file that has arrived leaves the list: it is a document now. */
export function useUploads(workspace: string) {
  const { texts } = useTexts();
  const tooLarge = texts.knowledge.upload.tooLarge;
  const refresh = useRefreshDocuments(workspace);
  const refreshRef = useRef(refresh);
  refreshRef.current = refresh;
  const [list, setList] = useState<readonly UploadState[]>([]);
  const lines = useRef<{ next: number; waiting: Waiting[]; running: Waiting[] }>({
    next: 1,
    waiting: [],
    running: [],
  });
  useEffect(() => {
    const { current } = lines;
    return () => {
      for (const { ending } of current.running) ending.abort();
      current.waiting = [];
    };
  }, []);

  const send = useCallback(async () => {
    const { waiting, running } = lines.current;
    const upload = running.length < 2 ? waiting.shift() : undefined;
    if (upload === undefined) return;
    const { id, file, ending } = upload;
    running.push(upload);
    const change = (to: Partial<UploadState>) =>
      setList((before) => before.map((each) => (each.id === id ? { ...each, ...to } : each)));
    try {
      const onProgress = (share: number) => change({ share });
      await uploadFile({ workspace, file, onProgress, signal: ending.signal });
      setList((before) => before.filter((each) => each.id !== id));
      refreshRef.current();
    } catch (error) {
      if (!ending.signal.aborted) change({ fault: toProblem(error), share: null });
    } finally {
      lines.current.running = lines.current.running.filter((each) => each.id !== id);
      void send();
    }
  }, [workspace]);

  const add = useCallback(
    (files: readonly File[]) => {
      const added = files.map((file) => {
        const id = lines.current.next++;
        const fault =
          file.size > maxBytes
            ? new Problem({ status: 413, code: 'too_large', detail: tooLarge, requestId: null })
            : null;
        if (fault === null) lines.current.waiting.push({ id, file, ending: new AbortController() });
        return { id, name: file.name, share: null, fault };
      });
      setList((before) => [...before, ...added]);
      void send();
      void send();
    },
    [send, tooLarge],
  );

  /** Takes a file off the list; one that is being sent is stopped. */
  const dismiss = useCallback((id: number) => {
    const { current } = lines;
    current.waiting = current.waiting.filter((each) => each.id !== id);
    current.running.find((each) => each.id === id)?.ending.abort();
    setList((before) => before.filter((each) => each.id !== id));
  }, []);

  return { list, add, dismiss };
}
