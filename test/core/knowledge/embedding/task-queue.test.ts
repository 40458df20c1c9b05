import { describe, expect, it } from 'vitest';
import { TaskQueue } from '../../../../core/knowledge/embedding/embedding-pool.ts';
import { EmbeddingTask } from '../../../../core/knowledge/embedding/embedding-worker.ts';

function queueOf(...tasks: readonly EmbeddingTask[]): TaskQueue {
  const queue = new TaskQueue();
  for (const task of tasks) queue.add(task);
  return queue;
}

const takeAll = (queue: TaskQueue) => {
  const texts: string[] = [];
  for (let unit = queue.take(); unit !== undefined; unit = queue.take()) texts.push(unit.text);
  return texts;
};

describe('TaskQueue', () => {
  it('alternates between tasks, so that a short one does not wait for a long one', () => {
    const long = new EmbeddingTask(['a1', 'a2', 'a3', 'a4']);
    expect(takeAll(queueOf(long, new EmbeddingTask(['b1'])))).toEqual(['a1', 'b1', 'a2', 'a3', 'a4']);
  });

  it('hands out a returned text before all others and counts the death', () => {
    const queue = queueOf(new EmbeddingTask(['a1', 'a2']));
    const unit = queue.take();
    if (unit !== undefined) queue.giveBack(unit);
    expect(queue.take()).toMatchObject({ text: 'a1', deaths: 1 });
    expect(queue.take()).toMatchObject({ text: 'a2', deaths: 0 });
  });

  it('hands out no text of a failed task', async () => {
    const failed = new EmbeddingTask(['a1', 'a2']);
    const queue = queueOf(failed, new EmbeddingTask(['b1']));
    const unit = queue.take();
    if (unit !== undefined) queue.giveBack(unit);
    failed.fail('given up');
    await expect(failed.outcome).rejects.toBe('given up');
    expect(takeAll(queue)).toEqual(['b1']);
  });

  it('is empty once no text is left', () => {
    const queue = queueOf(new EmbeddingTask(['a1']), new EmbeddingTask([]));
    expect(queue.empty).toBe(false);
    queue.take();
    expect(queue.empty).toBe(true);
  });
});
