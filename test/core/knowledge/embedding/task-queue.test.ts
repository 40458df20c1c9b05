import { describe, expect, it } from 'vitest';
import { TaskQueue } from '../../../../core/knowledge/embedding/embedding-pool.ts';
import { EmbeddingTask, type WorkUnit } from '../../../../core/knowledge/embedding/embedding-worker.ts';

function taskOf(texts: readonly string[]): EmbeddingTask {
  return new EmbeddingTask(
    texts.map((text) => ({ kind: 'text', text })),
    () => {},
  );
}

function readingOf(heads: readonly string[]): EmbeddingTask {
  return new EmbeddingTask(
    heads.map((head) => ({ kind: 'pair', pair: { question: 'q', head, units: [] } })),
    () => {},
  );
}

const nameOf = ({ work }: WorkUnit) => (work.kind === 'text' ? work.text : work.pair.head);

function queueOf(...tasks: readonly EmbeddingTask[]): TaskQueue {
  const queue = new TaskQueue();
  for (const task of tasks) queue.add(task);
  return queue;
}

const takeAll = (queue: TaskQueue) => {
  const texts: string[] = [];
  for (let unit = queue.take(); unit !== undefined; unit = queue.take()) texts.push(nameOf(unit));
  return texts;
};

describe('TaskQueue', () => {
  it('alternates between tasks, so that a short one does not wait for a long one', () => {
    const long = taskOf(['a1', 'a2', 'a3', 'a4']);
    expect(takeAll(queueOf(long, taskOf(['b1'])))).toEqual(['a1', 'b1', 'a2', 'a3', 'a4']);
  });

  it('hands out a returned text before all others and counts the death', () => {
    const queue = queueOf(taskOf(['a1', 'a2']));
    const unit = queue.take();
    if (unit !== undefined) queue.giveBack(unit);
    expect(queue.take()).toMatchObject({ work: { text: 'a1' }, deaths: 1 });
    expect(queue.take()).toMatchObject({ work: { text: 'a2' }, deaths: 0 });
  });

  it('hands out no text of a failed task', async () => {
    const failed = taskOf(['a1', 'a2']);
    const queue = queueOf(failed, taskOf(['b1']));
    const unit = queue.take();
    if (unit !== undefined) queue.giveBack(unit);
    failed.fail('given up');
    await expect(failed.outcome).rejects.toBe('given up');
    expect(takeAll(queue)).toEqual(['b1']);
  });

  it('hands out texts before pairs, and pairs of several questions in turn', () => {
    const queue = queueOf(readingOf(['p1', 'p2', 'p3']), readingOf(['q1', 'q2']));
    expect(queue.take()).toMatchObject({ work: { pair: { head: 'p1' } } });
    queue.add(taskOf(['question of another workspace']));
    expect(takeAll(queue)).toEqual(['question of another workspace', 'q1', 'p2', 'q2', 'p3']);
  });

  it('is empty once no text is left', () => {
    const queue = queueOf(taskOf(['a1']), taskOf([]));
    expect(queue.empty).toBe(false);
    queue.take();
    expect(queue.empty).toBe(true);
  });
});
