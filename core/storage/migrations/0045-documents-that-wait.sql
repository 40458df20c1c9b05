-- How many documents of a workspace wait to be indexed.
create index document_waiting on document (workspace_id) where status in ('queued', 'indexing');
