import type { WalkFile } from '../walk/tool-world.ts';
import type { ToolAnswer, ToolCall, ToolStandIn } from './tool-bench.ts';

interface Topic {
  readonly title: string;
  readonly bumped_at: string;
  readonly category_id: number;
  readonly visible: boolean;
  /** The HTML of the posts, in their order. */
  readonly posts: readonly string[];
  /** The number of the accepted answer, from 1. */
  readonly accepted?: number;
}

/**
 * A forum, by https://docs.discourse.org/ (list latest topics, get a single topic, get specific posts from a topic, get site
 * basic info). The answer for a topic holds its first 20 posts, and the ids of all.
 */
export class DiscourseStandIn implements ToolStandIn {
  readonly origin = 'https://forum.acme.example';
  readonly topics = new Map<number, Topic>();
  readonly uploads = new Map<string, WalkFile>();
  /** Topics that the user may not see. */
  readonly forbidden = new Set<string>();
  pageSize = 2;

  set(id: number, more: Partial<Topic> = {}): void {
    const topic = {
      title: `Topic ${id}`,
      bumped_at: '2026-01-01',
      category_id: 5,
      visible: true,
      posts: ['<p>Text</p>'],
    };
    this.topics.set(id, { ...topic, ...this.topics.get(id), ...more });
  }

  respond({ path, query, headers }: ToolCall): ToolAnswer {
    if (headers.get('api-key') !== 'right-token' || headers.get('api-username') !== 'system') {
      return { status: 401, json: { errors: ['You need to be logged in to do that.'] } };
    }
    const [resource, id = '', part] = path;
    if (resource === 'latest.json') return this.#list(Number(query.get('page')));
    if (resource === 'site.json') return { json: { categories } };
    if (resource === 'uploads') {
      const file = this.uploads.get(path.at(-1) ?? '');
      return file === undefined
        ? { status: 404 }
        : { bytes: file.bytes, headers: { 'content-type': file.type } };
    }
    const number = id.replace('.json', '');
    if (this.forbidden.has(number))
      return { status: 403, json: { errors: ['You are not permitted to view it.'] } };
    const topic = this.topics.get(Number(number));
    if (resource !== 't' || topic === undefined) return { status: 404, json: { errors: ['Not found'] } };
    const posts = topic.posts.map((cooked, index) => ({
      ...{ id: Number(number) * 1_000 + index, post_number: index + 1, cooked, post_type: 1, hidden: false },
      accepted_answer: topic.accepted === index + 1,
    }));
    if (part === 'posts.json') {
      const wanted = query.getAll('post_ids[]').slice(0, 20).map(Number);
      return { json: { post_stream: { posts: posts.filter((post) => wanted.includes(post.id)) } } };
    }
    const stream = posts.map((post) => post.id);
    return { json: { ...view(Number(number), topic), post_stream: { posts: posts.slice(0, 20), stream } } };
  }

  #list(page: number): ToolAnswer {
    const from = page * this.pageSize;
    const topics = [...this.topics].slice(from, from + this.pageSize).map(([id, topic]) => view(id, topic));
    const isMore = from + this.pageSize < this.topics.size;
    const more = isMore ? { more_topics_url: `/latest?page=${page + 1}` } : {};
    return { json: { topic_list: { topics, ...more } } };
  }
}

function view(id: number, { posts, accepted, ...topic }: Topic) {
  return {
    id,
    slug: `topic-${id}`,
    ...topic,
    posts_count: posts.length,
    has_accepted_answer: accepted !== undefined,
  };
}

const categories = [
  { id: 4, name: 'Support', parent_category_id: null },
  { id: 5, name: 'Payments', parent_category_id: 4 },
];
