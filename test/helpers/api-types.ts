// Made by npm run types:api from /openapi.json; a test checks that it is up to date.

export interface paths {
    "/healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether the process is alive */
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether requests can be served */
        get: operations["getReadiness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What this process counts, for Prometheus */
        get: operations["getMetrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/query": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Answer a question from the documents of a workspace */
        post: operations["query"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/query/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Answer a question from the documents of a workspace, word by word
         * @description Errors that are found before the answer begins are answered as those of any other operation. What goes wrong later is the last frame of the stream. Closing the connection stops the answer: it counts as a message, and what there is of it is kept.
         */
        post: operations["queryStream"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/conversations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the conversations of a workspace, latest activity first */
        get: operations["listConversations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/conversations/{conversation_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a conversation with its messages, notes and changes */
        get: operations["getConversation"];
        put?: never;
        post?: never;
        /** Delete a conversation with its messages and notes; what was told of its changes is kept */
        delete: operations["deleteConversation"];
        options?: never;
        head?: never;
        /** Change a conversation; each change is told in its audit log */
        patch: operations["updateConversation"];
        trace?: never;
    };
    "/v1/conversations/{conversation_id}/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the messages of a conversation */
        get: operations["listMessages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/conversations/{conversation_id}/messages/{message_id}/feedback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Say what the visitor thinks of an answer
         * @description The latest counts. The same again changes nothing.
         */
        post: operations["giveFeedback"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/conversations/{conversation_id}/notes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Add an internal note, which no visitor sees */
        post: operations["addNote"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/nlweb/{workspace_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What a workspace offers to agents, and where */
        get: operations["discoverAgent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/nlweb/{workspace_id}/ask": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Ask a question in public, as clients of the open NLWeb protocol do */
        get: operations["askAgentByAddress"];
        put?: never;
        /** Ask a question in public, without a key */
        post: operations["askAgent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/workspaces": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the workspaces, newest first */
        get: operations["listWorkspaces"];
        put?: never;
        /** Create a workspace */
        post: operations["createWorkspace"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/queues": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What waits, what was given up, and which channels are well */
        get: operations["getQueues"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/queues/{name}/failures": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List what a queue gave up, the last that came first */
        get: operations["listQueueFailures"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/queues/{name}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Try again what a queue gave up
         * @description What the platform refused for good is not tried again.
         */
        post: operations["retryQueue"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/workspaces/{workspace_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a workspace */
        get: operations["getWorkspace"];
        put?: never;
        post?: never;
        /** Delete a workspace with all that is in it */
        delete: operations["deleteWorkspace"];
        options?: never;
        head?: never;
        /** Change a workspace; a setting of null is cleared */
        patch: operations["updateWorkspace"];
        trace?: never;
    };
    "/admin/v1/workspaces/{workspace_id}/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the API keys of a workspace, newest first */
        get: operations["listKeys"];
        put?: never;
        /** Create an API key */
        post: operations["createKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/workspaces/{workspace_id}/keys/{key_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Revoke an API key */
        delete: operations["revokeKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/workspaces/{workspace_id}/documents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the documents of a workspace, latest first */
        get: operations["listDocuments"];
        put?: never;
        /** Add a document, or replace the one of the same address or file name */
        post: operations["addDocument"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/workspaces/{workspace_id}/documents/{doc_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read what is known of a document */
        get: operations["getDocument"];
        put?: never;
        post?: never;
        /** Delete a document: from now on no answer is drawn from it */
        delete: operations["deleteDocument"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/workspaces/{workspace_id}/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Search the documents of a workspace, as an answer would */
        post: operations["search"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/workspaces/{workspace_id}/conversations/{conv_id}/messages/{message_id}/attachments/{number}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Fetch a file that a visitor sent
         * @description It is asked of the platform of the channel now: this installation keeps none but those of its widgets and pages. Whatever it says that it is, it is offered as a download only.
         */
        get: operations["getAttachment"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/workspaces/{workspace_id}/conversations/{conv_id}/audit-log": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the changes of a conversation, latest first; also of one that was deleted */
        get: operations["listAuditLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/workspaces/{workspace_id}/conversations/{conv_id}/reply": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Answer a visitor as a person, where the visitor asked
         * @description The first reply claims the conversation: the engine is silent in its channel until it is resolved or opened again.
         */
        post: operations["replyAsAgent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/workspaces/{workspace_id}/conversations/{conv_id}/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * End the sessions of a conversation's visitor, on every device
         * @description Of the widget and the hosted page: what was said can be read there no more from then on, and stays here. Whoever proves who he is may begin a new one, and finds it again.
         */
        delete: operations["endSessions"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/workspaces/{workspace_id}/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the webhooks of a workspace, newest first */
        get: operations["listWebhooks"];
        put?: never;
        /** Add a webhook */
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/workspaces/{workspace_id}/webhooks/{hook_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Delete a webhook, with all that is on its way to it */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        /** Enable a webhook again, or disable it */
        patch: operations["updateWebhook"];
        trace?: never;
    };
    "/admin/v1/workspaces/{workspace_id}/webhooks/{hook_id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List what was sent to a webhook in the last week or is still to be, newest first */
        get: operations["listDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/workspaces/{workspace_id}/webhooks/{hook_id}/deliveries/{delivery_id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send a delivery again, whether it arrived or not */
        post: operations["replayDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/workspaces/{workspace_id}/skills": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the HTTP skills of a workspace, newest first */
        get: operations["listSkills"];
        put?: never;
        /** Add an HTTP skill */
        post: operations["createSkill"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/workspaces/{workspace_id}/skills/{skill_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read an HTTP skill */
        get: operations["getSkill"];
        put?: never;
        post?: never;
        /** Delete an HTTP skill */
        delete: operations["deleteSkill"];
        options?: never;
        head?: never;
        /** Change an HTTP skill, or switch it on or off */
        patch: operations["updateSkill"];
        trace?: never;
    };
    "/admin/v1/workspaces/{workspace_id}/skills/{skill_id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Call an HTTP skill once, on or off, and see what comes of it */
        post: operations["testSkill"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/workspaces/{workspace_id}/channels": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the channels of a workspace, newest first */
        get: operations["listChannels"];
        put?: never;
        /** Add a channel */
        post: operations["createChannel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/workspaces/{workspace_id}/channels/{chan_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a channel */
        get: operations["getChannel"];
        put?: never;
        post?: never;
        /** Remove a channel */
        delete: operations["deleteChannel"];
        options?: never;
        head?: never;
        /**
         * Change a channel, or switch it on or off
         * @description credentials and settings are merged into those that there are, null clears a field, and the platform is asked again.
         */
        patch: operations["updateChannel"];
        trace?: never;
    };
    "/admin/v1/workspaces/{workspace_id}/channels/{chan_id}/install-links": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a link by which a person lets the app of a channel into his team, for this workspace
         * @description The channel may be of another workspace. The link can be used once, within an hour; the channel that comes of it has chan_id as its parent.
         */
        post: operations["createInstallLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/widget/{public_token}/config": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How the widget presents itself */
        get: operations["getWidget"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/widget/{public_token}/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin a session of a visitor
         * @description Anonymous, or of a visitor whose identity is proven as in a query: his history is there on every device then. With `previous_session`, what was said in it is his, and it is over.
         */
        post: operations["openSession"];
        /**
         * Log out
         * @description The session is over at once, everywhere. What was said stays.
         */
        delete: operations["closeSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/widget/{public_token}/ask": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask as a visitor, and hear the answer word by word
         * @description The frames of /v1/query/stream. While a person has the conversation the message is kept for that person, and the only frame says so; who takes it over while it is answered ends the answer, and it is not stored. An answer is made to its end also where the connection is lost: it is in the messages then.
         */
        post: operations["askAsVisitor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/widget/{public_token}/human": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask for a person
         * @description The conversation waits for a person from then on. The frames are those of asking.
         */
        post: operations["askForPerson"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/widget/{public_token}/contact": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Leave an address for the answer of a person
         * @description Of a visitor whose identity was proven nothing is changed: the site told where he is reached.
         */
        post: operations["leaveContact"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/widget/{public_token}/files": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Hand in a file that is to be sent
         * @description What it is, is told by its bytes. It belongs to a message when one names its id, and is forgotten where none does in a day.
         */
        post: operations["handInFile"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/widget/{public_token}/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what was said so far
         * @description Newest first, of all conversations of the visitor.
         */
        get: operations["listVisitorMessages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/widget/{public_token}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Hear what people say, as it happens
         * @description Open until the caller goes away, the session is over or the server stops: then open it again, and read the messages for what was missed.
         */
        get: operations["hearVisitorEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/widget/{public_token}/feedback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Say what you think of an answer */
        post: operations["judgeAsVisitor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/widget/{public_token}/read": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Say that everything so far was seen */
        post: operations["readAsVisitor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/widget/{public_token}/files/{file_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Take back a file that was not sent */
        delete: operations["takeFileBack"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Error: {
            /** @description What is wrong, for people. */
            detail: string;
            /** @description What is wrong, for programs: stable. */
            code: string;
            /** @description Also in the header X-Request-Id. */
            request_id: string;
        };
        Channel: {
            id: string;
            workspace_id: string;
            /** @description Of which kind it is, such as telegram. */
            channel: string;
            name: string;
            /**
             * @description connecting: it was stored, and nothing has shown yet that it works. stale: a channel that is listened to was not heard of for two minutes (Discord: one and a half), or a platform that had posted fell silent for longer than it should.
             * @enum {string}
             */
            status: "connecting" | "connected" | "error" | "stale";
            /** @description What is wrong, or will be, in the platform's own words. */
            last_error: string | null;
            /** @description When the platform was last heard of, to ten seconds. */
            heard_at: string | null;
            enabled: boolean;
            settings: {
                [key: string]: unknown;
            };
            /** @description What the platform says of the account. */
            profile: {
                [key: string]: unknown;
            };
            /** @description Where the platform posts; null where it does not, or PUBLIC_URL is absent. */
            webhook_url: string | null;
            /** @description The channel whose app it shares; null where it has an app of its own. */
            parent: string | null;
            /** @description Of a channel that has a parent: whose it is on the platform, such as a team. */
            tenant: string | null;
            /** Format: date-time */
            created_at: string;
        };
        Pagination: {
            /** @description Null on the last page. */
            next_cursor: string | null;
            has_more: boolean;
        };
        AuditEntry: {
            id: string;
            /** @description Such as status_changed, tags_changed, note_added or deleted. */
            action: string;
            /** @description The API key by name, or visitor, operator, snooze or retention. */
            actor: string;
            /** Format: date-time */
            at: string;
            /** @description Mostly what it was and what it is: from, to. */
            details: {
                [key: string]: unknown;
            };
        };
        AgentReply: {
            id: string;
            /** @constant */
            role: "agent";
            content: string;
            author: string;
            /** Format: date-time */
            created_at: string;
            /**
             * @description queued: it is on its way to the channel. stored: the conversation has no channel.
             * @enum {string}
             */
            delivery: "queued" | "stored";
        };
        Document: {
            id: string;
            workspace_id: string;
            title: string;
            url: string | null;
            file_name: string | null;
            content_type: string | null;
            audience: string[];
            /** @enum {string} */
            status: "queued" | "indexing" | "indexed" | "failed" | "deleted";
            /** @description Per cent that is indexed. */
            progress: number;
            /** @description Why it could not be indexed, and what to do. */
            failure: {
                code: string;
                reason: string;
            } | null;
            bytes: number;
            chunks: number;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            indexed_at: string | null;
        };
        Key: {
            id: string;
            workspace_id: string;
            name: string;
            /** @description The last four characters of the key. */
            ending: string;
            rate_limit_minute: number;
            rate_limit_day: number;
            expires_at: string | null;
            /** Format: date-time */
            created_at: string;
        };
        QueueFailure: {
            /** @description A number, higher for what came later. */
            id: string;
            channel_id: string;
            conversation_id: string | null;
            reason: string | null;
            attempts: number;
            /** @description false: the platform will never take it. */
            retriable: boolean;
            /**
             * Format: date-time
             * @description When it came, or was written.
             */
            at: string;
        };
        Queues: {
            /** @description null where the queue does not answer: Redis is away, and what came waits for it. */
            queues: {
                /** @enum {string} */
                name: "ingest" | "webhooks" | "summarise" | "answer" | "deliver";
                waiting: number;
                delayed: number;
                active: number;
                failed: number;
            }[] | null;
            channels: {
                id: string;
                workspace_id: string;
                channel: string;
                name: string;
                enabled: boolean;
                /** @enum {string} */
                status: "connecting" | "connected" | "error" | "stale";
                /** @description Whether a channel that is listened to was not heard of for two minutes (Discord: one and a half), or a platform that had posted fell silent for longer than it should. */
                stale: boolean;
                heard_at: string | null;
                last_error: string | null;
                /** @description Messages of visitors that are not dealt with. */
                unanswered: number;
                oldest_unanswered_at: string | null;
                /** @description Messages that were given up: they can be retried. */
                unanswerable: number;
                /** @description Parts of answers that are still to be sent. */
                unsent: number;
                oldest_unsent_at: string | null;
                /** @description Parts given up after too many tries: they can be retried. */
                dead: number;
                /** @description Parts that the platform refused for good. */
                failed: number;
                /** @description Until when the platform takes nothing more: it said so. null where it takes what comes. */
                held_until: string | null;
            }[];
        };
        SearchResult: {
            document_id: string;
            chunk_id: string;
            title: string;
            url: string | null;
            chunk: string;
            score: number;
            parts: {
                bm25: number;
                coverage: number;
                cosine: number;
                fused: number;
            };
        };
        Skill: {
            id: string;
            workspace_id: string;
            name: string;
            description: string;
            parameters: {
                [key: string]: unknown;
            };
            url: string;
            timeout_seconds: number;
            /** @enum {string} */
            runs_for: "everyone" | "verified";
            enabled: boolean;
            /** Format: date-time */
            created_at: string;
        };
        Delivery: {
            /** @description Also its webhook-id, the same on every try. */
            id: string;
            webhook_id: string;
            event: string;
            /** @enum {string} */
            status: "pending" | "delivered" | "failed";
            attempts: number;
            next_attempt_at: string | null;
            /** @description What the receiver answered last. */
            last_status: number | null;
            last_error: string | null;
            /** Format: date-time */
            created_at: string;
            delivered_at: string | null;
        };
        Webhook: {
            id: string;
            workspace_id: string;
            url: string;
            events: string[];
            enabled: boolean;
            disabled_at: string | null;
            /** @description Why nothing is sent to it any more. */
            disabled_reason: string | null;
            /** Format: date-time */
            created_at: string;
        };
        Workspace: {
            id: string;
            owner: string;
            name: string;
            /** @enum {string} */
            plan: "free" | "starter" | "growth" | "business" | "enterprise";
            settings: {
                nlweb_enabled?: boolean;
                mcp_enabled?: boolean;
                description?: string;
                fallback_message?: string;
                audiences?: string[];
                require_identity_verification?: boolean;
                /** @enum {string} */
                strictness?: "strict" | "fallback";
                allowed_domains?: string[];
                sla?: {
                    first_response_minutes?: number;
                    resolution_minutes?: number;
                };
                retention_days?: number;
                model?: string;
                mask_secrets?: boolean;
                skills?: string[];
                support_hours?: {
                    time_zone: string;
                    monday?: {
                        from: string;
                        to: string;
                    }[];
                    tuesday?: {
                        from: string;
                        to: string;
                    }[];
                    wednesday?: {
                        from: string;
                        to: string;
                    }[];
                    thursday?: {
                        from: string;
                        to: string;
                    }[];
                    friday?: {
                        from: string;
                        to: string;
                    }[];
                    saturday?: {
                        from: string;
                        to: string;
                    }[];
                    sunday?: {
                        from: string;
                        to: string;
                    }[];
                };
                escalate_after_fallbacks?: number;
            };
            /** @description For browsers: opens the widget only. */
            public_token: string;
            /** Format: date-time */
            created_at: string;
        };
        Source: {
            document_id: string;
            chunk_id: string;
            title: string;
            /** @description Equal to title. */
            document_name: string;
            url: string | null;
            /** @description The passage's exact text. */
            chunk: string;
            /** @description Equal to chunk. */
            chunk_text: string;
            score: number;
            /** @description Equal to score. */
            relevance_score: number;
        };
        VisitorMessage: {
            id: string;
            /** @enum {string} */
            role: "user" | "assistant" | "agent";
            content: string;
            /** Format: date-time */
            created_at: string;
            sources: components["schemas"]["Source"][];
            /** @description The name of the person who wrote it. */
            author: string | null;
            feedback: ("up" | "down") | null;
            /** @description The answer broke off. */
            cut: boolean;
            /** @description It says that a person was brought in: there is nothing to judge. */
            handover: boolean;
            /** @description What the visitor sent along. */
            attachments: {
                name: string | null;
                content_type: string | null;
                bytes: number | null;
            }[];
        };
        /** @description The first frame, and one after each change. */
        StateFrame: {
            /**
             * @description waiting: a person was asked for. person: one has the conversation.
             * @enum {string}
             */
            status: "open" | "waiting" | "person" | "closed";
            /** @description The name of that person. */
            agent: string | null;
            /** @description What people said and the visitor has not seen. */
            unread: number;
            /** @description Whether a question of his is being answered. */
            answering: boolean;
            /** @constant */
            event: "state";
        };
        /** @description What a person said. */
        MessageFrame: {
            /** @constant */
            event: "message";
            message: components["schemas"]["VisitorMessage"];
        };
        /** @description One at the beginning of each stage, in their order. */
        StatusFrame: {
            /** @constant */
            event: "status";
            /** @enum {string} */
            stage: "understanding" | "searching" | "reading" | "writing";
            /** @description What goes on, for people. */
            text: string;
        };
        /** @description A piece of the answer: all of them, joined, are the answer. */
        TokenFrame: {
            token: string;
            /** @constant */
            done: false;
        };
        /** @description The last frame of an answer that is whole and stored. */
        FinalFrame: {
            sources: components["schemas"]["Source"][];
            conversation_id: string;
            message_id: string;
            /** @description Equal to message_id. */
            query_id: string;
            tokens_used: number;
            skills_fired: string[];
            /**
             * @description low: the documents hold no answer.
             * @enum {string}
             */
            confidence: "high" | "medium" | "low";
            /** @constant */
            token: "";
            /** @constant */
            done: true;
        };
        /** @description The last frame of an answer that failed. */
        ErrorFrame: {
            /** @description What is wrong, for people. */
            error: string;
            /** @constant */
            done: true;
            /**
             * @description What is wrong, for programs.
             * @enum {string}
             */
            code: "conversation_not_found" | "internal_error" | "model_provider_error" | "upstream_timeout" | "provider_down" | "deploying" | "request_timeout";
            /** @description Also in the header X-Request-Id. */
            request_id: string;
        };
        /** @description The only frame where a person has the conversation, or the last one where a person took it over while it was answered: what there is of the answer is not said then. */
        KeptFrame: {
            /** @constant */
            token: "";
            /** @constant */
            done: true;
            /** @constant */
            kept: true;
            message_id: string;
        };
        NlwebAnswer: {
            query_id: string;
            results: {
                url: string;
                name: string;
                site: string;
                score: number;
                description: string;
                /** @description schema.org, as JSON-LD. */
                schema_object: {
                    [key: string]: unknown;
                };
            }[];
            /** @description With mode summarize. */
            summary?: string;
            /** @description With mode generate. */
            answer?: string;
            /** @description With mode generate: what the answer rests on. */
            items?: {
                url: string;
                name: string;
                site: string;
                score: number;
                description: string;
                /** @description schema.org, as JSON-LD. */
                schema_object: {
                    [key: string]: unknown;
                };
            }[];
        };
        PublicAnswer: {
            answer: string;
            /** @constant */
            answer_type: "text";
            sources: {
                name: string;
                snippet: string;
                relevance: number;
            }[];
            conversation_id: string;
        };
        Conversation: {
            id: string;
            workspace_id: string;
            /** @enum {string} */
            channel: "widget" | "whatsapp" | "telegram" | "slack" | "discord" | "email" | "voice" | "sms" | "intercom" | "hosted" | "api";
            /** @enum {string} */
            status: "open" | "claimed" | "escalated" | "snoozed" | "resolved" | "archived";
            /** @enum {string} */
            priority: "low" | "normal" | "high" | "urgent";
            /** Format: date-time */
            started_at: string;
            /** Format: date-time */
            last_message_at: string;
            /**
             * Format: date-time
             * @description Of a resolved conversation only.
             */
            resolved_at?: string;
            /** @description When a snoozed one opens again. */
            snooze_until: string | null;
            message_count: number;
            /** @description All null for an anonymous visitor. */
            customer: {
                email: string | null;
                name: string | null;
                phone: string | null;
            };
            tags: string[];
            /** @enum {string} */
            sla_state: "in_compliance" | "at_risk" | "breached";
        };
        Message: {
            id: string;
            /** @enum {string} */
            role: "user" | "assistant" | "agent";
            content: string;
            /** Format: date-time */
            created_at: string;
            /** @description Of assistant messages. */
            sources?: components["schemas"]["Source"][];
            /** @description Of assistant messages. */
            tokens_used?: number;
            /**
             * Format: date-time
             * @description Of user messages that the visitor changed on his platform: when he did so last.
             */
            edited_at?: string;
            /**
             * Format: date-time
             * @description Of user messages that the visitor took back on his platform: their content is empty.
             */
            deleted_at?: string;
            /** @description Of assistant messages: what the visitor thinks of it; null where he did not say. */
            feedback?: {
                /** @enum {string} */
                value: "up" | "down";
                comment: string | null;
                /** Format: date-time */
                at: string;
            } | null;
            /** @description Of user messages that came with files: what the platform says of each. */
            attachments?: {
                /** @enum {string} */
                kind: "image" | "audio" | "video" | "file" | "other";
                name: string | null;
                content_type: string | null;
                bytes: number | null;
            }[];
            /** @description Of agent messages: who wrote it. */
            author?: string | null;
        };
        Note: {
            id: string;
            conversation_id: string;
            content: string;
            /** @description The API key's name, or the address given as author_email. */
            author: string;
            /** Format: date-time */
            created_at: string;
        };
        /** @description Messages, notes and changes come oldest first. */
        ConversationView: {
            id: string;
            workspace_id: string;
            /** @enum {string} */
            channel: "widget" | "whatsapp" | "telegram" | "slack" | "discord" | "email" | "voice" | "sms" | "intercom" | "hosted" | "api";
            /** @enum {string} */
            status: "open" | "claimed" | "escalated" | "snoozed" | "resolved" | "archived";
            /** @enum {string} */
            priority: "low" | "normal" | "high" | "urgent";
            /** Format: date-time */
            started_at: string;
            /** Format: date-time */
            last_message_at: string;
            /**
             * Format: date-time
             * @description Of a resolved conversation only.
             */
            resolved_at?: string;
            /** @description When a snoozed one opens again. */
            snooze_until: string | null;
            message_count: number;
            /** @description All null for an anonymous visitor. */
            customer: {
                email: string | null;
                name: string | null;
                phone: string | null;
            };
            tags: string[];
            /** @enum {string} */
            sla_state: "in_compliance" | "at_risk" | "breached";
            messages: components["schemas"]["Message"][];
            internal_notes: components["schemas"]["Note"][];
            audit_log: components["schemas"]["AuditEntry"][];
            /** @description Where the platform lets nobody write long after the visitor did: until when one may. Null where that is always. */
            reply_window: {
                open: boolean;
                /** @description Null where the visitor never wrote. */
                closes_at: string | null;
            } | null;
        };
        WidgetLook: {
            title: string;
            greeting: string;
            /** @description The colour, what can be read on it, and what can be read of it on light and dark. */
            accent: {
                colour: string;
                text: string;
                light: string;
                dark: string;
            };
            logo_url: string | null;
            suggestions: string[];
            /** @description Whether to ask first if the assistant or a person is wanted. */
            choice: boolean;
            /** @description What may be sent along; null where nothing may. */
            attachments: {
                types: string[];
                max_bytes: number;
                max_files: number;
            } | null;
            /** @enum {string} */
            theme: "auto" | "light" | "dark";
            /** @enum {string} */
            position: "left" | "right";
            language: string;
            languages: string[];
            /** @enum {string} */
            direction: "ltr" | "rtl";
            texts: {
                [key: string]: string;
            };
            /** @description The path of the script of the open chat. */
            script: string;
        };
        VisitorSession: {
            /** @description For the header Authorization: Bearer. Keep it in the browser. */
            session: string;
            /** Format: date-time */
            expires_at: string;
            visitor: {
                verified: boolean;
                name: string | null;
                email: string | null;
            };
        };
        VisitorFile: {
            id: string;
            name: string | null;
            content_type: string | null;
            bytes: number | null;
        };
        VisitorMessages: {
            /**
             * @description waiting: a person was asked for. person: one has the conversation.
             * @enum {string}
             */
            status: "open" | "waiting" | "person" | "closed";
            /** @description The name of that person. */
            agent: string | null;
            /** @description What people said and the visitor has not seen. */
            unread: number;
            /** @description Whether a question of his is being answered. */
            answering: boolean;
            messages: components["schemas"]["VisitorMessage"][];
            pagination: components["schemas"]["Pagination"];
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: {
        /**
         * @description The caller's own X-Request-Id, or one made here. Give it when you ask for help.
         * @example req_01K5Z2V0B8Q4M3N7R6T9W1X2Y3
         */
        "X-Request-Id": string;
        /**
         * @description Requests that the key may make a minute.
         * @example 60
         */
        "X-RateLimit-Limit-Minute": number;
        /**
         * @description Requests that are left of this minute.
         * @example 59
         */
        "X-RateLimit-Remaining-Minute": number;
        /**
         * @description Requests that the key may make a day.
         * @example 1000
         */
        "X-RateLimit-Limit-Day": number;
        /**
         * @description Requests that are left of this day.
         * @example 999
         */
        "X-RateLimit-Remaining-Day": number;
        /**
         * @description When the next day begins: midnight UTC, in seconds of Unix time.
         * @example 1789603200
         */
        "X-RateLimit-Reset-Day": number;
        /**
         * @description Seconds to wait before the next try.
         * @example 30
         */
        "Retry-After": number;
        /**
         * @description With challenge_required: a JWT whose claim bits is a number. Find another one, n, with which the SHA-256 of the JWT, a full stop and n begins with so many zero bits, and repeat the request within two minutes with the header Challenge-Answer: the JWT, a space and n. It holds for one request of this caller.
         * @example eyJhbGciOiJIUzI1NiJ9.eyJiaXRzIjoxNX0.c2lnbmF0dXJl
         */
        Challenge: string;
        /**
         * @description On an answer that was given before, to a request with the same Idempotency-Key.
         * @example true
         */
        "Idempotency-Replayed": "true";
        /**
         * @description How to authenticate.
         * @example Bearer
         */
        "WWW-Authenticate": string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {string} */
                        status: "alive";
                    };
                };
            };
            /** @description `malformed_request`: The request is not valid HTTP, or its address is not a valid one. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "malformed_request";
                    };
                };
            };
            /** @description `receive_timeout`: The request did not arrive in time. */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "receive_timeout";
                    };
                };
            };
            /** @description `headers_too_large`: The headers are larger than 16 KB. */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "headers_too_large";
                    };
                };
            };
            /** @description `internal_error`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "internal_error";
                    };
                };
            };
        };
    };
    getReadiness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {string} */
                        status: "ready";
                        checks: {
                            /** @enum {string} */
                            database: "ok" | "failed";
                            /** @enum {string} */
                            queue: "ok" | "failed";
                            /** @enum {string} */
                            embedder: "ok" | "failed";
                            /**
                             * @description Whether any process does background work.
                             * @enum {string}
                             */
                            workers: "ok" | "failed";
                        };
                    };
                };
            };
            /** @description `malformed_request`: The request is not valid HTTP, or its address is not a valid one. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "malformed_request";
                    };
                };
            };
            /** @description `receive_timeout`: The request did not arrive in time. */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "receive_timeout";
                    };
                };
            };
            /** @description `headers_too_large`: The headers are larger than 16 KB. */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "headers_too_large";
                    };
                };
            };
            /** @description `internal_error`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "internal_error";
                    };
                };
            };
            /** @description A part cannot be reached, or the server is shutting down. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "not_ready" | "deploying";
                        checks?: {
                            /** @enum {string} */
                            database: "ok" | "failed";
                            /** @enum {string} */
                            queue: "ok" | "failed";
                            /** @enum {string} */
                            embedder: "ok" | "failed";
                            /**
                             * @description Whether any process does background work.
                             * @enum {string}
                             */
                            workers: "ok" | "failed";
                        };
                    };
                };
            };
        };
    };
    getMetrics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Prometheus' text format. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            /** @description `malformed_request`: The request is not valid HTTP, or its address is not a valid one. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "malformed_request";
                    };
                };
            };
            /**
             * @description `missing_auth`: Send the header Authorization: Bearer <API_KEY>.
             *
             *     `malformed_auth`: The Authorization header must be exactly: Bearer <API_KEY>.
             *
             *     `invalid_key`: This key was revoked or never existed.
             */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "missing_auth" | "malformed_auth" | "invalid_key";
                    };
                };
            };
            /** @description `receive_timeout`: The request did not arrive in time. */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "receive_timeout";
                    };
                };
            };
            /** @description `headers_too_large`: The headers are larger than 16 KB. */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "headers_too_large";
                    };
                };
            };
            /** @description `internal_error`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "internal_error";
                    };
                };
            };
        };
    };
    query: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names this request for 24 hours: sent again under the same key, it gets the same answer and counts once. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "query": "How much does delivery to Germany cost?",
                 *       "top_k": 5
                 *     }
                 */
                "application/json": {
                    /** @description The key's own workspace when absent. */
                    workspace_id?: string | null;
                    query: string;
                    /** @description Continues a conversation; absent, null or empty begins one. */
                    conversation_id?: string | null;
                    /**
                     * @description Passages that the answer may draw on.
                     * @default 5
                     */
                    top_k?: number | null;
                    /** @description How freely a language model words the answer. */
                    temperature?: number | null;
                    /**
                     * @description strict answers from the documents only; fallback lets a language model answer from general knowledge where they hold nothing, with confidence low. The workspace's setting when absent.
                     * @enum {string|null}
                     */
                    strictness?: "strict" | "fallback" | null;
                    /** @default [] */
                    audience?: string[] | null;
                    /** @description Draws on these documents only. */
                    document_ids?: string[] | null;
                    session_id?: string | null;
                    user?: {
                        user_id: string;
                        /** @description Lower-case hexadecimal HMAC-SHA256 of user_id under the workspace's identity secret. */
                        hash?: string | null;
                        name?: string | null;
                        email?: string | null;
                    } | null;
                    /** @description A JWT (HS256) under the identity secret. */
                    verification_token?: string | null;
                    /** @description Free context, such as page_url: kept with the question, and no part of the answer. At most 16 KB of JSON, else `422 invalid_metadata`. */
                    metadata?: {
                        [key: string]: unknown;
                    } | null;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit-Minute": components["headers"]["X-RateLimit-Limit-Minute"];
                    "X-RateLimit-Remaining-Minute": components["headers"]["X-RateLimit-Remaining-Minute"];
                    "X-RateLimit-Limit-Day": components["headers"]["X-RateLimit-Limit-Day"];
                    "X-RateLimit-Remaining-Day": components["headers"]["X-RateLimit-Remaining-Day"];
                    "X-RateLimit-Reset-Day": components["headers"]["X-RateLimit-Reset-Day"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        answer: string;
                        sources: components["schemas"]["Source"][];
                        conversation_id: string;
                        message_id: string;
                        /** @description Equal to message_id. */
                        query_id: string;
                        tokens_used: number;
                        skills_fired: string[];
                        latency_ms: number;
                        /**
                         * @description low: the documents hold no answer.
                         * @enum {string}
                         */
                        confidence: "high" | "medium" | "low";
                    };
                };
            };
            /**
             * @description `malformed_request`: The request is not valid HTTP, or its address is not a valid one.
             *
             *     `invalid_json`: The body is not valid JSON.
             *
             *     `missing_field`: A required field is missing.
             *
             *     `invalid_workspace_id`: workspace_id is malformed: it looks like ws_… or wt_<id>_<suffix>.
             *
             *     `message_too_long`: query is longer than 4,000 characters.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit-Minute": components["headers"]["X-RateLimit-Limit-Minute"];
                    "X-RateLimit-Remaining-Minute": components["headers"]["X-RateLimit-Remaining-Minute"];
                    "X-RateLimit-Limit-Day": components["headers"]["X-RateLimit-Limit-Day"];
                    "X-RateLimit-Remaining-Day": components["headers"]["X-RateLimit-Remaining-Day"];
                    "X-RateLimit-Reset-Day": components["headers"]["X-RateLimit-Reset-Day"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "malformed_request" | "invalid_json" | "missing_field" | "invalid_workspace_id" | "message_too_long";
                    };
                };
            };
            /**
             * @description `missing_auth`: Send the header Authorization: Bearer <API_KEY>.
             *
             *     `malformed_auth`: The Authorization header must be exactly: Bearer <API_KEY>.
             *
             *     `invalid_key`: This key was revoked or never existed.
             *
             *     `expired_key`: This key has expired.
             */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "missing_auth" | "malformed_auth" | "invalid_key" | "expired_key";
                    };
                };
            };
            /**
             * @description `workspace_access_denied`: This workspace belongs to another owner than the key's.
             *
             *     `verification_required`: Identity verification is required: pass user.hash or verification_token.
             *
             *     `feature_not_in_plan`: This workspace's plan has no API access: it takes Starter or above.
             */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit-Minute": components["headers"]["X-RateLimit-Limit-Minute"];
                    "X-RateLimit-Remaining-Minute": components["headers"]["X-RateLimit-Remaining-Minute"];
                    "X-RateLimit-Limit-Day": components["headers"]["X-RateLimit-Limit-Day"];
                    "X-RateLimit-Remaining-Day": components["headers"]["X-RateLimit-Remaining-Day"];
                    "X-RateLimit-Reset-Day": components["headers"]["X-RateLimit-Reset-Day"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "workspace_access_denied" | "verification_required" | "feature_not_in_plan";
                    };
                };
            };
            /**
             * @description `workspace_not_found`: There is no such workspace.
             *
             *     `conversation_not_found`: There is no such conversation.
             *
             *     `document_not_found`: There is no such document.
             */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit-Minute": components["headers"]["X-RateLimit-Limit-Minute"];
                    "X-RateLimit-Remaining-Minute": components["headers"]["X-RateLimit-Remaining-Minute"];
                    "X-RateLimit-Limit-Day": components["headers"]["X-RateLimit-Limit-Day"];
                    "X-RateLimit-Remaining-Day": components["headers"]["X-RateLimit-Remaining-Day"];
                    "X-RateLimit-Reset-Day": components["headers"]["X-RateLimit-Reset-Day"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "workspace_not_found" | "conversation_not_found" | "document_not_found";
                    };
                };
            };
            /** @description `receive_timeout`: The request did not arrive in time. */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "receive_timeout";
                    };
                };
            };
            /** @description `duplicate_request_id`: This Idempotency-Key is in use or was used with another body. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit-Minute": components["headers"]["X-RateLimit-Limit-Minute"];
                    "X-RateLimit-Remaining-Minute": components["headers"]["X-RateLimit-Remaining-Minute"];
                    "X-RateLimit-Limit-Day": components["headers"]["X-RateLimit-Limit-Day"];
                    "X-RateLimit-Remaining-Day": components["headers"]["X-RateLimit-Remaining-Day"];
                    "X-RateLimit-Reset-Day": components["headers"]["X-RateLimit-Reset-Day"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "duplicate_request_id";
                    };
                };
            };
            /** @description `payload_too_large`: The body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit-Minute": components["headers"]["X-RateLimit-Limit-Minute"];
                    "X-RateLimit-Remaining-Minute": components["headers"]["X-RateLimit-Remaining-Minute"];
                    "X-RateLimit-Limit-Day": components["headers"]["X-RateLimit-Limit-Day"];
                    "X-RateLimit-Remaining-Day": components["headers"]["X-RateLimit-Remaining-Day"];
                    "X-RateLimit-Reset-Day": components["headers"]["X-RateLimit-Reset-Day"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "payload_too_large";
                    };
                };
            };
            /** @description `unsupported_media_type`: The content type is not supported here. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit-Minute": components["headers"]["X-RateLimit-Limit-Minute"];
                    "X-RateLimit-Remaining-Minute": components["headers"]["X-RateLimit-Remaining-Minute"];
                    "X-RateLimit-Limit-Day": components["headers"]["X-RateLimit-Limit-Day"];
                    "X-RateLimit-Remaining-Day": components["headers"]["X-RateLimit-Remaining-Day"];
                    "X-RateLimit-Reset-Day": components["headers"]["X-RateLimit-Reset-Day"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "unsupported_media_type";
                    };
                };
            };
            /**
             * @description `invalid_idempotency_key`: Idempotency-Key must have 1 to 255 characters.
             *
             *     `invalid_body`: The body must be a JSON object.
             *
             *     `invalid_query`: query must be a string.
             *
             *     `invalid_conversation_id`: conversation_id must be a string.
             *
             *     `invalid_top_k`: top_k must be an integer from 1 to 20.
             *
             *     `invalid_temperature`: temperature must be a number from 0.0 to 1.0.
             *
             *     `invalid_strictness`: strictness must be "strict" or "fallback".
             *
             *     `invalid_audience`: audience must be an array of the workspace's audience tags.
             *
             *     `invalid_document_ids`: document_ids must be an array of at most 100 document ids.
             *
             *     `invalid_session_id`: session_id must be a string of at most 200 characters.
             *
             *     `invalid_user`: user must be an object with user_id, and optionally hash, name and email.
             *
             *     `invalid_verification_token`: verification_token must be a string.
             *
             *     `invalid_metadata`: metadata must be an object of at most 16 KB.
             */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit-Minute": components["headers"]["X-RateLimit-Limit-Minute"];
                    "X-RateLimit-Remaining-Minute": components["headers"]["X-RateLimit-Remaining-Minute"];
                    "X-RateLimit-Limit-Day": components["headers"]["X-RateLimit-Limit-Day"];
                    "X-RateLimit-Remaining-Day": components["headers"]["X-RateLimit-Remaining-Day"];
                    "X-RateLimit-Reset-Day": components["headers"]["X-RateLimit-Reset-Day"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "invalid_idempotency_key" | "invalid_body" | "invalid_query" | "invalid_conversation_id" | "invalid_top_k" | "invalid_temperature" | "invalid_strictness" | "invalid_audience" | "invalid_document_ids" | "invalid_session_id" | "invalid_user" | "invalid_verification_token" | "invalid_metadata";
                    };
                };
            };
            /**
             * @description `quota_exhausted`: The owner's monthly message allowance is used up.
             *
             *     `rate_limit_minute`: Too many requests this minute.
             *
             *     `rate_limit_day`: Too many requests today: the count starts again at midnight UTC.
             *
             *     `rate_limit_concurrent`: More than 50 requests of this key are in flight.
             */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit-Minute": components["headers"]["X-RateLimit-Limit-Minute"];
                    "X-RateLimit-Remaining-Minute": components["headers"]["X-RateLimit-Remaining-Minute"];
                    "X-RateLimit-Limit-Day": components["headers"]["X-RateLimit-Limit-Day"];
                    "X-RateLimit-Remaining-Day": components["headers"]["X-RateLimit-Remaining-Day"];
                    "X-RateLimit-Reset-Day": components["headers"]["X-RateLimit-Reset-Day"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "quota_exhausted" | "rate_limit_minute" | "rate_limit_day" | "rate_limit_concurrent";
                    };
                };
            };
            /** @description `headers_too_large`: The headers are larger than 16 KB. */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "headers_too_large";
                    };
                };
            };
            /**
             * @description `model_provider_error`: The language-model provider answered with an error.
             *
             *     `internal_error`: Something went wrong on our side.
             */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit-Minute": components["headers"]["X-RateLimit-Limit-Minute"];
                    "X-RateLimit-Remaining-Minute": components["headers"]["X-RateLimit-Remaining-Minute"];
                    "X-RateLimit-Limit-Day": components["headers"]["X-RateLimit-Limit-Day"];
                    "X-RateLimit-Remaining-Day": components["headers"]["X-RateLimit-Remaining-Day"];
                    "X-RateLimit-Reset-Day": components["headers"]["X-RateLimit-Reset-Day"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "model_provider_error" | "internal_error";
                    };
                };
            };
            /** @description `upstream_timeout`: A backend service did not answer in time. */
            502: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit-Minute": components["headers"]["X-RateLimit-Limit-Minute"];
                    "X-RateLimit-Remaining-Minute": components["headers"]["X-RateLimit-Remaining-Minute"];
                    "X-RateLimit-Limit-Day": components["headers"]["X-RateLimit-Limit-Day"];
                    "X-RateLimit-Remaining-Day": components["headers"]["X-RateLimit-Remaining-Day"];
                    "X-RateLimit-Reset-Day": components["headers"]["X-RateLimit-Reset-Day"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "upstream_timeout";
                    };
                };
            };
            /**
             * @description `provider_down`: No language-model provider can be reached.
             *
             *     `deploying`: This server is shutting down or starting: try again in 30 seconds.
             */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit-Minute": components["headers"]["X-RateLimit-Limit-Minute"];
                    "X-RateLimit-Remaining-Minute": components["headers"]["X-RateLimit-Remaining-Minute"];
                    "X-RateLimit-Limit-Day": components["headers"]["X-RateLimit-Limit-Day"];
                    "X-RateLimit-Remaining-Day": components["headers"]["X-RateLimit-Remaining-Day"];
                    "X-RateLimit-Reset-Day": components["headers"]["X-RateLimit-Reset-Day"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "provider_down" | "deploying";
                    };
                };
            };
            /** @description `request_timeout`: The request took longer than 30 seconds. */
            504: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit-Minute": components["headers"]["X-RateLimit-Limit-Minute"];
                    "X-RateLimit-Remaining-Minute": components["headers"]["X-RateLimit-Remaining-Minute"];
                    "X-RateLimit-Limit-Day": components["headers"]["X-RateLimit-Limit-Day"];
                    "X-RateLimit-Remaining-Day": components["headers"]["X-RateLimit-Remaining-Day"];
                    "X-RateLimit-Reset-Day": components["headers"]["X-RateLimit-Reset-Day"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "request_timeout";
                    };
                };
            };
        };
    };
    queryStream: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "query": "How much does delivery to Germany cost?",
                 *       "top_k": 5
                 *     }
                 */
                "application/json": {
                    /** @description The key's own workspace when absent. */
                    workspace_id?: string | null;
                    query: string;
                    /** @description Continues a conversation; absent, null or empty begins one. */
                    conversation_id?: string | null;
                    /**
                     * @description Passages that the answer may draw on.
                     * @default 5
                     */
                    top_k?: number | null;
                    /** @description How freely a language model words the answer. */
                    temperature?: number | null;
                    /**
                     * @description strict answers from the documents only; fallback lets a language model answer from general knowledge where they hold nothing, with confidence low. The workspace's setting when absent.
                     * @enum {string|null}
                     */
                    strictness?: "strict" | "fallback" | null;
                    /** @default [] */
                    audience?: string[] | null;
                    /** @description Draws on these documents only. */
                    document_ids?: string[] | null;
                    session_id?: string | null;
                    user?: {
                        user_id: string;
                        /** @description Lower-case hexadecimal HMAC-SHA256 of user_id under the workspace's identity secret. */
                        hash?: string | null;
                        name?: string | null;
                        email?: string | null;
                    } | null;
                    /** @description A JWT (HS256) under the identity secret. */
                    verification_token?: string | null;
                    /** @description Free context, such as page_url: kept with the question, and no part of the answer. At most 16 KB of JSON, else `422 invalid_metadata`. */
                    metadata?: {
                        [key: string]: unknown;
                    } | null;
                };
            };
        };
        responses: {
            /** @description Server-sent events: status frames, token frames, and one last frame. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit-Minute": components["headers"]["X-RateLimit-Limit-Minute"];
                    "X-RateLimit-Remaining-Minute": components["headers"]["X-RateLimit-Remaining-Minute"];
                    "X-RateLimit-Limit-Day": components["headers"]["X-RateLimit-Limit-Day"];
                    "X-RateLimit-Remaining-Day": components["headers"]["X-RateLimit-Remaining-Day"];
                    "X-RateLimit-Reset-Day": components["headers"]["X-RateLimit-Reset-Day"];
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            /**
             * @description `malformed_request`: The request is not valid HTTP, or its address is not a valid one.
             *
             *     `invalid_json`: The body is not valid JSON.
             *
             *     `missing_field`: A required field is missing.
             *
             *     `invalid_workspace_id`: workspace_id is malformed: it looks like ws_… or wt_<id>_<suffix>.
             *
             *     `message_too_long`: query is longer than 4,000 characters.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit-Minute": components["headers"]["X-RateLimit-Limit-Minute"];
                    "X-RateLimit-Remaining-Minute": components["headers"]["X-RateLimit-Remaining-Minute"];
                    "X-RateLimit-Limit-Day": components["headers"]["X-RateLimit-Limit-Day"];
                    "X-RateLimit-Remaining-Day": components["headers"]["X-RateLimit-Remaining-Day"];
                    "X-RateLimit-Reset-Day": components["headers"]["X-RateLimit-Reset-Day"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "malformed_request" | "invalid_json" | "missing_field" | "invalid_workspace_id" | "message_too_long";
                    };
                };
            };
            /**
             * @description `missing_auth`: Send the header Authorization: Bearer <API_KEY>.
             *
             *     `malformed_auth`: The Authorization header must be exactly: Bearer <API_KEY>.
             *
             *     `invalid_key`: This key was revoked or never existed.
             *
             *     `expired_key`: This key has expired.
             */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "missing_auth" | "malformed_auth" | "invalid_key" | "expired_key";
                    };
                };
            };
            /**
             * @description `workspace_access_denied`: This workspace belongs to another owner than the key's.
             *
             *     `verification_required`: Identity verification is required: pass user.hash or verification_token.
             *
             *     `feature_not_in_plan`: This workspace's plan has no API access: it takes Starter or above.
             */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit-Minute": components["headers"]["X-RateLimit-Limit-Minute"];
                    "X-RateLimit-Remaining-Minute": components["headers"]["X-RateLimit-Remaining-Minute"];
                    "X-RateLimit-Limit-Day": components["headers"]["X-RateLimit-Limit-Day"];
                    "X-RateLimit-Remaining-Day": components["headers"]["X-RateLimit-Remaining-Day"];
                    "X-RateLimit-Reset-Day": components["headers"]["X-RateLimit-Reset-Day"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "workspace_access_denied" | "verification_required" | "feature_not_in_plan";
                    };
                };
            };
            /**
             * @description `workspace_not_found`: There is no such workspace.
             *
             *     `conversation_not_found`: There is no such conversation.
             *
             *     `document_not_found`: There is no such document.
             */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit-Minute": components["headers"]["X-RateLimit-Limit-Minute"];
                    "X-RateLimit-Remaining-Minute": components["headers"]["X-RateLimit-Remaining-Minute"];
                    "X-RateLimit-Limit-Day": components["headers"]["X-RateLimit-Limit-Day"];
                    "X-RateLimit-Remaining-Day": components["headers"]["X-RateLimit-Remaining-Day"];
                    "X-RateLimit-Reset-Day": components["headers"]["X-RateLimit-Reset-Day"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "workspace_not_found" | "conversation_not_found" | "document_not_found";
                    };
                };
            };
            /** @description `receive_timeout`: The request did not arrive in time. */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "receive_timeout";
                    };
                };
            };
            /** @description `payload_too_large`: The body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit-Minute": components["headers"]["X-RateLimit-Limit-Minute"];
                    "X-RateLimit-Remaining-Minute": components["headers"]["X-RateLimit-Remaining-Minute"];
                    "X-RateLimit-Limit-Day": components["headers"]["X-RateLimit-Limit-Day"];
                    "X-RateLimit-Remaining-Day": components["headers"]["X-RateLimit-Remaining-Day"];
                    "X-RateLimit-Reset-Day": components["headers"]["X-RateLimit-Reset-Day"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "payload_too_large";
                    };
                };
            };
            /** @description `unsupported_media_type`: The content type is not supported here. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit-Minute": components["headers"]["X-RateLimit-Limit-Minute"];
                    "X-RateLimit-Remaining-Minute": components["headers"]["X-RateLimit-Remaining-Minute"];
                    "X-RateLimit-Limit-Day": components["headers"]["X-RateLimit-Limit-Day"];
                    "X-RateLimit-Remaining-Day": components["headers"]["X-RateLimit-Remaining-Day"];
                    "X-RateLimit-Reset-Day": components["headers"]["X-RateLimit-Reset-Day"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "unsupported_media_type";
                    };
                };
            };
            /**
             * @description `invalid_body`: The body must be a JSON object.
             *
             *     `invalid_query`: query must be a string.
             *
             *     `invalid_conversation_id`: conversation_id must be a string.
             *
             *     `invalid_top_k`: top_k must be an integer from 1 to 20.
             *
             *     `invalid_temperature`: temperature must be a number from 0.0 to 1.0.
             *
             *     `invalid_strictness`: strictness must be "strict" or "fallback".
             *
             *     `invalid_audience`: audience must be an array of the workspace's audience tags.
             *
             *     `invalid_document_ids`: document_ids must be an array of at most 100 document ids.
             *
             *     `invalid_session_id`: session_id must be a string of at most 200 characters.
             *
             *     `invalid_user`: user must be an object with user_id, and optionally hash, name and email.
             *
             *     `invalid_verification_token`: verification_token must be a string.
             *
             *     `invalid_metadata`: metadata must be an object of at most 16 KB.
             */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit-Minute": components["headers"]["X-RateLimit-Limit-Minute"];
                    "X-RateLimit-Remaining-Minute": components["headers"]["X-RateLimit-Remaining-Minute"];
                    "X-RateLimit-Limit-Day": components["headers"]["X-RateLimit-Limit-Day"];
                    "X-RateLimit-Remaining-Day": components["headers"]["X-RateLimit-Remaining-Day"];
                    "X-RateLimit-Reset-Day": components["headers"]["X-RateLimit-Reset-Day"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "invalid_body" | "invalid_query" | "invalid_conversation_id" | "invalid_top_k" | "invalid_temperature" | "invalid_strictness" | "invalid_audience" | "invalid_document_ids" | "invalid_session_id" | "invalid_user" | "invalid_verification_token" | "invalid_metadata";
                    };
                };
            };
            /**
             * @description `quota_exhausted`: The owner's monthly message allowance is used up.
             *
             *     `rate_limit_minute`: Too many requests this minute.
             *
             *     `rate_limit_day`: Too many requests today: the count starts again at midnight UTC.
             *
             *     `rate_limit_concurrent`: More than 50 requests of this key are in flight.
             */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit-Minute": components["headers"]["X-RateLimit-Limit-Minute"];
                    "X-RateLimit-Remaining-Minute": components["headers"]["X-RateLimit-Remaining-Minute"];
                    "X-RateLimit-Limit-Day": components["headers"]["X-RateLimit-Limit-Day"];
                    "X-RateLimit-Remaining-Day": components["headers"]["X-RateLimit-Remaining-Day"];
                    "X-RateLimit-Reset-Day": components["headers"]["X-RateLimit-Reset-Day"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "quota_exhausted" | "rate_limit_minute" | "rate_limit_day" | "rate_limit_concurrent";
                    };
                };
            };
            /** @description `headers_too_large`: The headers are larger than 16 KB. */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "headers_too_large";
                    };
                };
            };
            /** @description `internal_error`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit-Minute": components["headers"]["X-RateLimit-Limit-Minute"];
                    "X-RateLimit-Remaining-Minute": components["headers"]["X-RateLimit-Remaining-Minute"];
                    "X-RateLimit-Limit-Day": components["headers"]["X-RateLimit-Limit-Day"];
                    "X-RateLimit-Remaining-Day": components["headers"]["X-RateLimit-Remaining-Day"];
                    "X-RateLimit-Reset-Day": components["headers"]["X-RateLimit-Reset-Day"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "internal_error";
                    };
                };
            };
            /** @description `deploying`: This server is shutting down or starting: try again in 30 seconds. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit-Minute": components["headers"]["X-RateLimit-Limit-Minute"];
                    "X-RateLimit-Remaining-Minute": components["headers"]["X-RateLimit-Remaining-Minute"];
                    "X-RateLimit-Limit-Day": components["headers"]["X-RateLimit-Limit-Day"];
                    "X-RateLimit-Remaining-Day": components["headers"]["X-RateLimit-Remaining-Day"];
                    "X-RateLimit-Reset-Day": components["headers"]["X-RateLimit-Reset-Day"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "deploying";
                    };
                };
            };
            /** @description `request_timeout`: The request took longer than 30 seconds. */
            504: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit-Minute": components["headers"]["X-RateLimit-Limit-Minute"];
                    "X-RateLimit-Remaining-Minute": components["headers"]["X-RateLimit-Remaining-Minute"];
                    "X-RateLimit-Limit-Day": components["headers"]["X-RateLimit-Limit-Day"];
                    "X-RateLimit-Remaining-Day": components["headers"]["X-RateLimit-Remaining-Day"];
                    "X-RateLimit-Reset-Day": components["headers"]["X-RateLimit-Reset-Day"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "request_timeout";
                    };
                };
            };
        };
    };
    listConversations: {
        parameters: {
            query: {
                limit?: number;
                /** @description next_cursor of the page before. */
                cursor?: string;
                workspace_id: string;
                channel?: "widget" | "whatsapp" | "telegram" | "slack" | "discord" | "email" | "voice" | "sms" | "intercom" | "hosted" | "api";
                status?: "open" | "claimed" | "escalated" | "snoozed" | "resolved" | "archived";
                /** @description Repeated for several: all must match. */
                tag?: string[];
                /** @description Started after. */
                since?: string;
                /** @description Started before. */
                until?: string;
                /** @description With a message, a change, a note or feedback of that moment or later. */
                updated_since?: string;
                /** @description Words that one message of the conversation has, in any form and order. */
                q?: string;
                /** @description The customer's. */
                email?: string;
                sla_state?: "in_compliance" | "at_risk" | "breached";
                /** @description What its visitor thinks of one of its answers. */
                feedback?: "up" | "down";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit-Minute": components["headers"]["X-RateLimit-Limit-Minute"];
                    "X-RateLimit-Remaining-Minute": components["headers"]["X-RateLimit-Remaining-Minute"];
                    "X-RateLimit-Limit-Day": components["headers"]["X-RateLimit-Limit-Day"];
                    "X-RateLimit-Remaining-Day": components["headers"]["X-RateLimit-Remaining-Day"];
                    "X-RateLimit-Reset-Day": components["headers"]["X-RateLimit-Reset-Day"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        conversations: components["schemas"]["Conversation"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
            /**
             * @description `malformed_request`: The request is not valid HTTP, or its address is not a valid one.
             *
             *     `missing_field`: A required field is missing.
             *
             *     `invalid_workspace_id`: workspace_id is malformed: it looks like ws_… or wt_<id>_<suffix>.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit-Minute": components["headers"]["X-RateLimit-Limit-Minute"];
                    "X-RateLimit-Remaining-Minute": components["headers"]["X-RateLimit-Remaining-Minute"];
                    "X-RateLimit-Limit-Day": components["headers"]["X-RateLimit-Limit-Day"];
                    "X-RateLimit-Remaining-Day": components["headers"]["X-RateLimit-Remaining-Day"];
                    "X-RateLimit-Reset-Day": components["headers"]["X-RateLimit-Reset-Day"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "malformed_request" | "missing_field" | "invalid_workspace_id";
                    };
                };
            };
            /**
             * @description `missing_auth`: Send the header Authorization: Bearer <API_KEY>.
             *
             *     `malformed_auth`: The Authorization header must be exactly: Bearer <API_KEY>.
             *
             *     `invalid_key`: This key was revoked or never existed.
             *
             *     `expired_key`: This key has expired.
             */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "missing_auth" | "malformed_auth" | "invalid_key" | "expired_key";
                    };
                };
            };
            /**
             * @description `workspace_access_denied`: This workspace belongs to another owner than the key's.
             *
             *     `feature_not_in_plan`: This workspace's plan has no API access: it takes Starter or above.
             */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit-Minute": components["headers"]["X-RateLimit-Limit-Minute"];
                    "X-RateLimit-Remaining-Minute": components["headers"]["X-RateLimit-Remaining-Minute"];
                    "X-RateLimit-Limit-Day": components["headers"]["X-RateLimit-Limit-Day"];
                    "X-RateLimit-Remaining-Day": components["headers"]["X-RateLimit-Remaining-Day"];
                    "X-RateLimit-Reset-Day": components["headers"]["X-RateLimit-Reset-Day"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "workspace_access_denied" | "feature_not_in_plan";
                    };
                };
            };
            /** @description `workspace_not_found`: There is no such workspace. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit-Minute": components["headers"]["X-RateLimit-Limit-Minute"];
                    "X-RateLimit-Remaining-Minute": components["headers"]["X-RateLimit-Remaining-Minute"];
                    "X-RateLimit-Limit-Day": components["headers"]["X-RateLimit-Limit-Day"];
                    "X-RateLimit-Remaining-Day": components["headers"]["X-RateLimit-Remaining-Day"];
                    "X-RateLimit-Reset-Day": components["headers"]["X-RateLimit-Reset-Day"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "workspace_not_found";
                    };
                };
            };
            /** @description `receive_timeout`: The request did not arrive in time. */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "receive_timeout";
                    };
                };
            };
            /**
             * @description `invalid_limit`: limit must be an integer from 1 to 100.
             *
             *     `invalid_cursor`: cursor must be a next_cursor of this very list.
             *
             *     `invalid_channel`: channel is not one of the known values.
             *
             *     `invalid_status`: status is not one of the known values.
             *
             *     `invalid_tag`: tag must have 1 to 64 characters.
             *
             *     `invalid_since`: since must be an ISO 8601 time.
             *
             *     `invalid_until`: until must be an ISO 8601 time.
             *
             *     `invalid_body`: The body must be a JSON object.
             *
             *     `invalid_q`: q must have 1 to 1,000 characters.
             *
             *     `invalid_email`: email must be an e-mail address.
             *
             *     `invalid_sla_state`: sla_state must be in_compliance, at_risk or breached.
             *
             *     `invalid_feedback`: feedback must be up or down.
             */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit-Minute": components["headers"]["X-RateLimit-Limit-Minute"];
                    "X-RateLimit-Remaining-Minute": components["headers"]["X-RateLimit-Remaining-Minute"];
                    "X-RateLimit-Limit-Day": components["headers"]["X-RateLimit-Limit-Day"];
                    "X-RateLimit-Remaining-Day": components["headers"]["X-RateLimit-Remaining-Day"];
                    "X-RateLimit-Reset-Day": components["headers"]["X-RateLimit-Reset-Day"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "invalid_limit" | "invalid_cursor" | "invalid_channel" | "invalid_status" | "invalid_tag" | "invalid_since" | "invalid_until" | "invalid_body" | "invalid_q" | "invalid_email" | "invalid_sla_state" | "invalid_feedback";
                    };
                };
            };
            /**
             * @description `rate_limit_minute`: Too many requests this minute.
             *
             *     `rate_limit_day`: Too many requests today: the count starts again at midnight UTC.
             *
             *     `rate_limit_concurrent`: More than 50 requests of this key are in flight.
             */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit-Minute": components["headers"]["X-RateLimit-Limit-Minute"];
                    "X-RateLimit-Remaining-Minute": components["headers"]["X-RateLimit-Remaining-Minute"];
                    "X-RateLimit-Limit-Day": components["headers"]["X-RateLimit-Limit-Day"];
                    "X-RateLimit-Remaining-Day": components["headers"]["X-RateLimit-Remaining-Day"];
                    "X-RateLimit-Reset-Day": components["headers"]["X-RateLimit-Reset-Day"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "rate_limit_minute" | "rate_limit_day" | "rate_limit_concurrent";
                    };
                };
            };
            /** @description `headers_too_large`: The headers are larger than 16 KB. */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "headers_too_large";
                    };
                };
            };
            /** @description `internal_error`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit-Minute": components["headers"]["X-RateLimit-Limit-Minute"];
                    "X-RateLimit-Remaining-Minute": components["headers"]["X-RateLimit-Remaining-Minute"];
                    "X-RateLimit-Limit-Day": components["headers"]["X-RateLimit-Limit-Day"];
                    "X-RateLimit-Remaining-Day": components["headers"]["X-RateLimit-Remaining-Day"];
                    "X-RateLimit-Reset-Day": components["headers"]["X-RateLimit-Reset-Day"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "internal_error";
                    };
                };
            };
            /** @description `deploying`: This server is shutting down or starting: try again in 30 seconds. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit-Minute": components["headers"]["X-RateLimit-Limit-Minute"];
                    "X-RateLimit-Remaining-Minute": components["headers"]["X-RateLimit-Remaining-Minute"];
                    "X-RateLimit-Limit-Day": components["headers"]["X-RateLimit-Limit-Day"];
                    "X-RateLimit-Remaining-Day": components["headers"]["X-RateLimit-Remaining-Day"];
                    "X-RateLimit-Reset-Day": components["headers"]["X-RateLimit-Reset-Day"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "deploying";
                    };
                };
            };
            /** @description `request_timeout`: The request took longer than 30 seconds. */
            504: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit-Minute": components["headers"]["X-RateLimit-Limit-Minute"];
                    "X-RateLimit-Remaining-Minute": components["headers"]["X-RateLimit-Remaining-Minute"];
                    "X-RateLimit-Limit-Day": components["headers"]["X-RateLimit-Limit-Day"];
                    "X-RateLimit-Remaining-Day": components["headers"]["X-RateLimit-Remaining-Day"];
                    "X-RateLimit-Reset-Day": components["headers"]["X-RateLimit-Reset-Day"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "request_timeout";
                    };
                };
            };
        };
    };
    getConversation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                conversation_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit-Minute": components["headers"]["X-RateLimit-Limit-Minute"];
                    "X-RateLimit-Remaining-Minute": components["headers"]["X-RateLimit-Remaining-Minute"];
                    "X-RateLimit-Limit-Day": components["headers"]["X-RateLimit-Limit-Day"];
                    "X-RateLimit-Remaining-Day": components["headers"]["X-RateLimit-Remaining-Day"];
                    "X-RateLimit-Reset-Day": components["headers"]["X-RateLimit-Reset-Day"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConversationView"];
                };
            };
            /** @description `malformed_request`: The request is not valid HTTP, or its address is not a valid one. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit-Minute": components["headers"]["X-RateLimit-Limit-Minute"];
                    "X-RateLimit-Remaining-Minute": components["headers"]["X-RateLimit-Remaining-Minute"];
                    "X-RateLimit-Limit-Day": components["headers"]["X-RateLimit-Limit-Day"];
                    "X-RateLimit-Remaining-Day": components["headers"]["X-RateLimit-Remaining-Day"];
                    "X-RateLimit-Reset-Day": components["headers"]["X-RateLimit-Reset-Day"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "malformed_request";
                    };
                };
            };
            /**
             * @description `missing_auth`: Send the header Authorization: Bearer <API_KEY>.
             *
             *     `malformed_auth`: The Authorization header must be exactly: Bearer <API_KEY>.
             *
             *     `invalid_key`: This key was revoked or never existed.
             *
             *     `expired_key`: This key has expired.
             */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "missing_auth" | "malformed_auth" | "invalid_key" | "expired_key";
                    };
                };
            };
            /** @description `feature_not_in_plan`: This workspace's plan has no API access: it takes Starter or above. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit-Minute": components["headers"]["X-RateLimit-Limit-Minute"];
                    "X-RateLimit-Remaining-Minute": components["headers"]["X-RateLimit-Remaining-Minute"];
                    "X-RateLimit-Limit-Day": components["headers"]["X-RateLimit-Limit-Day"];
                    "X-RateLimit-Remaining-Day": components["headers"]["X-RateLimit-Remaining-Day"];
                    "X-RateLimit-Reset-Day": components["headers"]["X-RateLimit-Reset-Day"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "feature_not_in_plan";
                    };
                };
            };
            /** @description `conversation_not_found`: There is no such conversation. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit-Minute": components["headers"]["X-RateLimit-Limit-Minute"];
                    "X-RateLimit-Remaining-Minute": components["headers"]["X-RateLimit-Remaining-Minute"];
                    "X-RateLimit-Limit-Day": components["headers"]["X-RateLimit-Limit-Day"];
                    "X-RateLimit-Remaining-Day": components["headers"]["X-RateLimit-Remaining-Day"];
                    "X-RateLimit-Reset-Day": components["headers"]["X-RateLimit-Reset-Day"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "conversation_not_found";
                    };
                };
            };
            /** @description `receive_timeout`: The request did not arrive in time. */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "receive_timeout";
                    };
                };
            };
            /**
             * @description `rate_limit_minute`: Too many requests this minute.
             *
             *     `rate_limit_day`: Too many requests today: the count starts again at midnight UTC.
             *
             *     `rate_limit_concurrent`: More than 50 requests of this key are in flight.
             */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit-Minute": components["headers"]["X-RateLimit-Limit-Minute"];
                    "X-RateLimit-Remaining-Minute": components["headers"]["X-RateLimit-Remaining-Minute"];
                    "X-RateLimit-Limit-Day": components["headers"]["X-RateLimit-Limit-Day"];
                    "X-RateLimit-Remaining-Day": components["headers"]["X-RateLimit-Remaining-Day"];
                    "X-RateLimit-Reset-Day": components["headers"]["X-RateLimit-Reset-Day"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "rate_limit_minute" | "rate_limit_day" | "rate_limit_concurrent";
                    };
                };
            };
            /** @description `headers_too_large`: The headers are larger than 16 KB. */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "headers_too_large";
                    };
                };
            };
            /** @description `internal_error`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit-Minute": components["headers"]["X-RateLimit-Limit-Minute"];
                    "X-RateLimit-Remaining-Minute": components["headers"]["X-RateLimit-Remaining-Minute"];
                    "X-RateLimit-Limit-Day": components["headers"]["X-RateLimit-Limit-Day"];
                    "X-RateLimit-Remaining-Day": components["headers"]["X-RateLimit-Remaining-Day"];
                    "X-RateLimit-Reset-Day": components["headers"]["X-RateLimit-Reset-Day"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "internal_error";
                    };
                };
            };
            /** @description `deploying`: This server is shutting down or starting: try again in 30 seconds. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit-Minute": components["headers"]["X-RateLimit-Limit-Minute"];
                    "X-RateLimit-Remaining-Minute": components["headers"]["X-RateLimit-Remaining-Minute"];
                    "X-RateLimit-Limit-Day": components["headers"]["X-RateLimit-Limit-Day"];
                    "X-RateLimit-Remaining-Day": components["headers"]["X-RateLimit-Remaining-Day"];
                    "X-RateLimit-Reset-Day": components["headers"]["X-RateLimit-Reset-Day"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "deploying";
                    };
                };
            };
            /** @description `request_timeout`: The request took longer than 30 seconds. */
            504: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit-Minute": components["headers"]["X-RateLimit-Limit-Minute"];
                    "X-RateLimit-Remaining-Minute": components["headers"]["X-RateLimit-Remaining-Minute"];
                    "X-RateLimit-Limit-Day": components["headers"]["X-RateLimit-Limit-Day"];
                    "X-RateLimit-Remaining-Day": components["headers"]["X-RateLimit-Remaining-Day"];
                    "X-RateLimit-Reset-Day": components["headers"]["X-RateLimit-Reset-Day"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "request_timeout";
                    };
                };
            };
        };
    };
    deleteConversation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                conversation_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit-Minute": components["headers"]["X-RateLimit-Limit-Minute"];
                    "X-RateLimit-Remaining-Minute": components["headers"]["X-RateLimit-Remaining-Minute"];
                    "X-RateLimit-Limit-Day": components["headers"]["X-RateLimit-Limit-Day"];
                    "X-RateLimit-Remaining-Day": components["headers"]["X-RateLimit-Remaining-Day"];
                    "X-RateLimit-Reset-Day": components["headers"]["X-RateLimit-Reset-Day"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /**
             * @description `malformed_request`: The request is not valid HTTP, or its address is not a valid one.
             *
             *     `invalid_json`: The body is not valid JSON.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit-Minute": components["headers"]["X-RateLimit-Limit-Minute"];
                    "X-RateLimit-Remaining-Minute": components["headers"]["X-RateLimit-Remaining-Minute"];
                    "X-RateLimit-Limit-Day": components["headers"]["X-RateLimit-Limit-Day"];
                    "X-RateLimit-Remaining-Day": components["headers"]["X-RateLimit-Remaining-Day"];
                    "X-RateLimit-Reset-Day": components["headers"]["X-RateLimit-Reset-Day"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "malformed_request" | "invalid_json";
                    };
                };
            };
            /**
             * @description `missing_auth`: Send the header Authorization: Bearer <API_KEY>.
             *
             *     `malformed_auth`: The Authorization header must be exactly: Bearer <API_KEY>.
             *
             *     `invalid_key`: This key was revoked or never existed.
             *
             *     `expired_key`: This key has expired.
             */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "missing_auth" | "malformed_auth" | "invalid_key" | "expired_key";
                    };
                };
            };
            /** @description `feature_not_in_plan`: This workspace's plan has no API access: it takes Starter or above. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit-Minute": components["headers"]["X-RateLimit-Limit-Minute"];
                    "X-RateLimit-Remaining-Minute": components["headers"]["X-RateLimit-Remaining-Minute"];
                    "X-RateLimit-Limit-Day": components["headers"]["X-RateLimit-Limit-Day"];
                    "X-RateLimit-Remaining-Day": components["headers"]["X-RateLimit-Remaining-Day"];
                    "X-RateLimit-Reset-Day": components["headers"]["X-RateLimit-Reset-Day"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "feature_not_in_plan";
                    };
                };
            };
            /** @description `conversation_not_found`: There is no such conversation. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit-Minute": components["headers"]["X-RateLimit-Limit-Minute"];
                    "X-RateLimit-Remaining-Minute": components["headers"]["X-RateLimit-Remaining-Minute"];
                    "X-RateLimit-Limit-Day": components["headers"]["X-RateLimit-Limit-Day"];
                    "X-RateLimit-Remaining-Day": components["headers"]["X-RateLimit-Remaining-Day"];
                    "X-RateLimit-Reset-Day": components["headers"]["X-RateLimit-Reset-Day"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "conversation_not_found";
                    };
                };
            };
            /** @description `receive_timeout`: The request did not arrive in time. */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "receive_timeout";
                    };
                };
            };
            /** @description `payload_too_large`: The body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit-Minute": components["headers"]["X-RateLimit-Limit-Minute"];
                    "X-RateLimit-Remaining-Minute": components["headers"]["X-RateLimit-Remaining-Minute"];
                    "X-RateLimit-Limit-Day": components["headers"]["X-RateLimit-Limit-Day"];
                    "X-RateLimit-Remaining-Day": components["headers"]["X-RateLimit-Remaining-Day"];
                    "X-RateLimit-Reset-Day": components["headers"]["X-RateLimit-Reset-Day"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "payload_too_large";
                    };
                };
            };
            /** @description `unsupported_media_type`: The content type is not supported here. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit-Minute": components["headers"]["X-RateLimit-Limit-Minute"];
                    "X-RateLimit-Remaining-Minute": components["headers"]["X-RateLimit-Remaining-Minute"];
                    "X-RateLimit-Limit-Day": components["headers"]["X-RateLimit-Limit-Day"];
                    "X-RateLimit-Remaining-Day": components["headers"]["X-RateLimit-Remaining-Day"];
                    "X-RateLimit-Reset-Day": components["headers"]["X-RateLimit-Reset-Day"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "unsupported_media_type";
                    };
                };
            };
            /**
             * @description `rate_limit_minute`: Too many requests this minute.
             *
             *     `rate_limit_day`: Too many requests today: the count starts again at midnight UTC.
             *
             *     `rate_limit_concurrent`: More than 50 requests of this key are in flight.
             */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit-Minute": components["headers"]["X-RateLimit-Limit-Minute"];
                    "X-RateLimit-Remaining-Minute": components["headers"]["X-RateLimit-Remaining-Minute"];
                    "X-RateLimit-Limit-Day": components["headers"]["X-RateLimit-Limit-Day"];
                    "X-RateLimit-Remaining-Day": components["headers"]["X-RateLimit-Remaining-Day"];
                    "X-RateLimit-Reset-Day": components["headers"]["X-RateLimit-Reset-Day"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "rate_limit_minute" | "rate_limit_day" | "rate_limit_concurrent";
                    };
                };
            };
            /** @description `headers_too_large`: The headers are larger than 16 KB. */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "headers_too_large";
                    };
                };
            };
            /** @description `internal_error`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit-Minute": components["headers"]["X-RateLimit-Limit-Minute"];
                    "X-RateLimit-Remaining-Minute": components["headers"]["X-RateLimit-Remaining-Minute"];
                    "X-RateLimit-Limit-Day": components["headers"]["X-RateLimit-Limit-Day"];
                    "X-RateLimit-Remaining-Day": components["headers"]["X-RateLimit-Remaining-Day"];
                    "X-RateLimit-Reset-Day": components["headers"]["X-RateLimit-Reset-Day"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "internal_error";
                    };
                };
            };
            /** @description `deploying`: This server is shutting down or starting: try again in 30 seconds. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit-Minute": components["headers"]["X-RateLimit-Limit-Minute"];
                    "X-RateLimit-Remaining-Minute": components["headers"]["X-RateLimit-Remaining-Minute"];
                    "X-RateLimit-Limit-Day": components["headers"]["X-RateLimit-Limit-Day"];
                    "X-RateLimit-Remaining-Day": components["headers"]["X-RateLimit-Remaining-Day"];
                    "X-RateLimit-Reset-Day": components["headers"]["X-RateLimit-Reset-Day"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "deploying";
                    };
                };
            };
            /** @description `request_timeout`: The request took longer than 30 seconds. */
            504: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit-Minute": components["headers"]["X-RateLimit-Limit-Minute"];
                    "X-RateLimit-Remaining-Minute": components["headers"]["X-RateLimit-Remaining-Minute"];
                    "X-RateLimit-Limit-Day": components["headers"]["X-RateLimit-Limit-Day"];
                    "X-RateLimit-Remaining-Day": components["headers"]["X-RateLimit-Remaining-Day"];
                    "X-RateLimit-Reset-Day": components["headers"]["X-RateLimit-Reset-Day"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "request_timeout";
                    };
                };
            };
        };
    };
    updateConversation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                conversation_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string|null} */
                    status?: "open" | "claimed" | "escalated" | "snoozed" | "resolved" | "archived" | null;
                    /** @description Instead of those there are. */
                    tags?: string[] | null;
                    /** @enum {string|null} */
                    priority?: "low" | "normal" | "high" | "urgent" | null;
                    /** @description To be added to those there are. */
                    internal_notes?: {
                        content: string;
                        /** @description The agent who acts, in place of the API key's name. */
                        author_email?: string | null;
                    }[] | null;
                    /** @description Null forgets what was known. */
                    customer?: {
                        email?: string | null;
                        name?: string | null;
                        phone?: string | null;
                    } | null;
                    /** @description When a snoozed conversation opens again: required for the status snoozed. */
                    snooze_until?: string | null;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit-Minute": components["headers"]["X-RateLimit-Limit-Minute"];
                    "X-RateLimit-Remaining-Minute": components["headers"]["X-RateLimit-Remaining-Minute"];
                    "X-RateLimit-Limit-Day": components["headers"]["X-RateLimit-Limit-Day"];
                    "X-RateLimit-Remaining-Day": components["headers"]["X-RateLimit-Remaining-Day"];
                    "X-RateLimit-Reset-Day": components["headers"]["X-RateLimit-Reset-Day"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConversationView"];
                };
            };
            /**
             * @description `malformed_request`: The request is not valid HTTP, or its address is not a valid one.
             *
             *     `invalid_json`: The body is not valid JSON.
             *
             *     `missing_field`: A required field is missing.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit-Minute": components["headers"]["X-RateLimit-Limit-Minute"];
                    "X-RateLimit-Remaining-Minute": components["headers"]["X-RateLimit-Remaining-Minute"];
                    "X-RateLimit-Limit-Day": components["headers"]["X-RateLimit-Limit-Day"];
                    "X-RateLimit-Remaining-Day": components["headers"]["X-RateLimit-Remaining-Day"];
                    "X-RateLimit-Reset-Day": components["headers"]["X-RateLimit-Reset-Day"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "malformed_request" | "invalid_json" | "missing_field";
                    };
                };
            };
            /**
             * @description `missing_auth`: Send the header Authorization: Bearer <API_KEY>.
             *
             *     `malformed_auth`: The Authorization header must be exactly: Bearer <API_KEY>.
             *
             *     `invalid_key`: This key was revoked or never existed.
             *
             *     `expired_key`: This key has expired.
             */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "missing_auth" | "malformed_auth" | "invalid_key" | "expired_key";
                    };
                };
            };
            /** @description `feature_not_in_plan`: This workspace's plan has no API access: it takes Starter or above. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit-Minute": components["headers"]["X-RateLimit-Limit-Minute"];
                    "X-RateLimit-Remaining-Minute": components["headers"]["X-RateLimit-Remaining-Minute"];
                    "X-RateLimit-Limit-Day": components["headers"]["X-RateLimit-Limit-Day"];
                    "X-RateLimit-Remaining-Day": components["headers"]["X-RateLimit-Remaining-Day"];
                    "X-RateLimit-Reset-Day": components["headers"]["X-RateLimit-Reset-Day"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "feature_not_in_plan";
                    };
                };
            };
            /** @description `conversation_not_found`: There is no such conversation. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit-Minute": components["headers"]["X-RateLimit-Limit-Minute"];
                    "X-RateLimit-Remaining-Minute": components["headers"]["X-RateLimit-Remaining-Minute"];
                    "X-RateLimit-Limit-Day": components["headers"]["X-RateLimit-Limit-Day"];
                    "X-RateLimit-Remaining-Day": components["headers"]["X-RateLimit-Remaining-Day"];
                    "X-RateLimit-Reset-Day": components["headers"]["X-RateLimit-Reset-Day"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "conversation_not_found";
                    };
                };
            };
            /** @description `receive_timeout`: The request did not arrive in time. */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "receive_timeout";
                    };
                };
            };
            /** @description `payload_too_large`: The body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit-Minute": components["headers"]["X-RateLimit-Limit-Minute"];
                    "X-RateLimit-Remaining-Minute": components["headers"]["X-RateLimit-Remaining-Minute"];
                    "X-RateLimit-Limit-Day": components["headers"]["X-RateLimit-Limit-Day"];
                    "X-RateLimit-Remaining-Day": components["headers"]["X-RateLimit-Remaining-Day"];
                    "X-RateLimit-Reset-Day": components["headers"]["X-RateLimit-Reset-Day"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "payload_too_large";
                    };
                };
            };
            /** @description `unsupported_media_type`: The content type is not supported here. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit-Minute": components["headers"]["X-RateLimit-Limit-Minute"];
                    "X-RateLimit-Remaining-Minute": components["headers"]["X-RateLimit-Remaining-Minute"];
                    "X-RateLimit-Limit-Day": components["headers"]["X-RateLimit-Limit-Day"];
                    "X-RateLimit-Remaining-Day": components["headers"]["X-RateLimit-Remaining-Day"];
                    "X-RateLimit-Reset-Day": components["headers"]["X-RateLimit-Reset-Day"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "unsupported_media_type";
                    };
                };
            };
            /**
             * @description `invalid_body`: The body must be a JSON object.
             *
             *     `invalid_status`: status is not one of the known values.
             *
             *     `invalid_tags`: tags must be an array of at most 50 strings of 1 to 64 characters.
             *
             *     `invalid_priority`: priority must be low, normal, high or urgent.
             *
             *     `invalid_internal_notes`: internal_notes must be an array of {content, author_email?}.
             *
             *     `invalid_customer`: customer must be an object with email, name and phone, each a string or null.
             *
             *     `invalid_snooze_until`: snooze_until must be an ISO 8601 time in the future.
             */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit-Minute": components["headers"]["X-RateLimit-Limit-Minute"];
                    "X-RateLimit-Remaining-Minute": components["headers"]["X-RateLimit-Remaining-Minute"];
                    "X-RateLimit-Limit-Day": components["headers"]["X-RateLimit-Limit-Day"];
                    "X-RateLimit-Remaining-Day": components["headers"]["X-RateLimit-Remaining-Day"];
                    "X-RateLimit-Reset-Day": components["headers"]["X-RateLimit-Reset-Day"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "invalid_body" | "invalid_status" | "invalid_tags" | "invalid_priority" | "invalid_internal_notes" | "invalid_customer" | "invalid_snooze_until";
                    };
                };
            };
            /**
             * @description `rate_limit_minute`: Too many requests this minute.
             *
             *     `rate_limit_day`: Too many requests today: the count starts again at midnight UTC.
             *
             *     `rate_limit_concurrent`: More than 50 requests of this key are in flight.
             */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit-Minute": components["headers"]["X-RateLimit-Limit-Minute"];
                    "X-RateLimit-Remaining-Minute": components["headers"]["X-RateLimit-Remaining-Minute"];
                    "X-RateLimit-Limit-Day": components["headers"]["X-RateLimit-Limit-Day"];
                    "X-RateLimit-Remaining-Day": components["headers"]["X-RateLimit-Remaining-Day"];
                    "X-RateLimit-Reset-Day": components["headers"]["X-RateLimit-Reset-Day"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "rate_limit_minute" | "rate_limit_day" | "rate_limit_concurrent";
                    };
                };
            };
            /** @description `headers_too_large`: The headers are larger than 16 KB. */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "headers_too_large";
                    };
                };
            };
            /** @description `internal_error`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit-Minute": components["headers"]["X-RateLimit-Limit-Minute"];
                    "X-RateLimit-Remaining-Minute": components["headers"]["X-RateLimit-Remaining-Minute"];
                    "X-RateLimit-Limit-Day": components["headers"]["X-RateLimit-Limit-Day"];
                    "X-RateLimit-Remaining-Day": components["headers"]["X-RateLimit-Remaining-Day"];
                    "X-RateLimit-Reset-Day": components["headers"]["X-RateLimit-Reset-Day"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "internal_error";
                    };
                };
            };
            /** @description `deploying`: This server is shutting down or starting: try again in 30 seconds. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit-Minute": components["headers"]["X-RateLimit-Limit-Minute"];
                    "X-RateLimit-Remaining-Minute": components["headers"]["X-RateLimit-Remaining-Minute"];
                    "X-RateLimit-Limit-Day": components["headers"]["X-RateLimit-Limit-Day"];
                    "X-RateLimit-Remaining-Day": components["headers"]["X-RateLimit-Remaining-Day"];
                    "X-RateLimit-Reset-Day": components["headers"]["X-RateLimit-Reset-Day"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "deploying";
                    };
                };
            };
            /** @description `request_timeout`: The request took longer than 30 seconds. */
            504: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit-Minute": components["headers"]["X-RateLimit-Limit-Minute"];
                    "X-RateLimit-Remaining-Minute": components["headers"]["X-RateLimit-Remaining-Minute"];
                    "X-RateLimit-Limit-Day": components["headers"]["X-RateLimit-Limit-Day"];
                    "X-RateLimit-Remaining-Day": components["headers"]["X-RateLimit-Remaining-Day"];
                    "X-RateLimit-Reset-Day": components["headers"]["X-RateLimit-Reset-Day"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "request_timeout";
                    };
                };
            };
        };
    };
    listMessages: {
        parameters: {
            query?: {
                limit?: number;
                /** @description next_cursor of the page before. */
                cursor?: string;
                /** @description asc: oldest first. */
                order?: "asc" | "desc";
            };
            header?: never;
            path: {
                conversation_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit-Minute": components["headers"]["X-RateLimit-Limit-Minute"];
                    "X-RateLimit-Remaining-Minute": components["headers"]["X-RateLimit-Remaining-Minute"];
                    "X-RateLimit-Limit-Day": components["headers"]["X-RateLimit-Limit-Day"];
                    "X-RateLimit-Remaining-Day": components["headers"]["X-RateLimit-Remaining-Day"];
                    "X-RateLimit-Reset-Day": components["headers"]["X-RateLimit-Reset-Day"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        messages: components["schemas"]["Message"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
            /** @description `malformed_request`: The request is not valid HTTP, or its address is not a valid one. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit-Minute": components["headers"]["X-RateLimit-Limit-Minute"];
                    "X-RateLimit-Remaining-Minute": components["headers"]["X-RateLimit-Remaining-Minute"];
                    "X-RateLimit-Limit-Day": components["headers"]["X-RateLimit-Limit-Day"];
                    "X-RateLimit-Remaining-Day": components["headers"]["X-RateLimit-Remaining-Day"];
                    "X-RateLimit-Reset-Day": components["headers"]["X-RateLimit-Reset-Day"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "malformed_request";
                    };
                };
            };
            /**
             * @description `missing_auth`: Send the header Authorization: Bearer <API_KEY>.
             *
             *     `malformed_auth`: The Authorization header must be exactly: Bearer <API_KEY>.
             *
             *     `invalid_key`: This key was revoked or never existed.
             *
             *     `expired_key`: This key has expired.
             */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "missing_auth" | "malformed_auth" | "invalid_key" | "expired_key";
                    };
                };
            };
            /** @description `feature_not_in_plan`: This workspace's plan has no API access: it takes Starter or above. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit-Minute": components["headers"]["X-RateLimit-Limit-Minute"];
                    "X-RateLimit-Remaining-Minute": components["headers"]["X-RateLimit-Remaining-Minute"];
                    "X-RateLimit-Limit-Day": components["headers"]["X-RateLimit-Limit-Day"];
                    "X-RateLimit-Remaining-Day": components["headers"]["X-RateLimit-Remaining-Day"];
                    "X-RateLimit-Reset-Day": components["headers"]["X-RateLimit-Reset-Day"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "feature_not_in_plan";
                    };
                };
            };
            /** @description `conversation_not_found`: There is no such conversation. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit-Minute": components["headers"]["X-RateLimit-Limit-Minute"];
                    "X-RateLimit-Remaining-Minute": components["headers"]["X-RateLimit-Remaining-Minute"];
                    "X-RateLimit-Limit-Day": components["headers"]["X-RateLimit-Limit-Day"];
                    "X-RateLimit-Remaining-Day": components["headers"]["X-RateLimit-Remaining-Day"];
                    "X-RateLimit-Reset-Day": components["headers"]["X-RateLimit-Reset-Day"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "conversation_not_found";
                    };
                };
            };
            /** @description `receive_timeout`: The request did not arrive in time. */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "receive_timeout";
                    };
                };
            };
            /**
             * @description `invalid_limit`: limit must be an integer from 1 to 100.
             *
             *     `invalid_cursor`: cursor must be a next_cursor of this very list.
             *
             *     `invalid_order`: order must be "asc" or "desc".
             */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit-Minute": components["headers"]["X-RateLimit-Limit-Minute"];
                    "X-RateLimit-Remaining-Minute": components["headers"]["X-RateLimit-Remaining-Minute"];
                    "X-RateLimit-Limit-Day": components["headers"]["X-RateLimit-Limit-Day"];
                    "X-RateLimit-Remaining-Day": components["headers"]["X-RateLimit-Remaining-Day"];
                    "X-RateLimit-Reset-Day": components["headers"]["X-RateLimit-Reset-Day"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "invalid_limit" | "invalid_cursor" | "invalid_order";
                    };
                };
            };
            /**
             * @description `rate_limit_minute`: Too many requests this minute.
             *
             *     `rate_limit_day`: Too many requests today: the count starts again at midnight UTC.
             *
             *     `rate_limit_concurrent`: More than 50 requests of this key are in flight.
             */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit-Minute": components["headers"]["X-RateLimit-Limit-Minute"];
                    "X-RateLimit-Remaining-Minute": components["headers"]["X-RateLimit-Remaining-Minute"];
                    "X-RateLimit-Limit-Day": components["headers"]["X-RateLimit-Limit-Day"];
                    "X-RateLimit-Remaining-Day": components["headers"]["X-RateLimit-Remaining-Day"];
                    "X-RateLimit-Reset-Day": components["headers"]["X-RateLimit-Reset-Day"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "rate_limit_minute" | "rate_limit_day" | "rate_limit_concurrent";
                    };
                };
            };
            /** @description `headers_too_large`: The headers are larger than 16 KB. */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "headers_too_large";
                    };
                };
            };
            /** @description `internal_error`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit-Minute": components["headers"]["X-RateLimit-Limit-Minute"];
                    "X-RateLimit-Remaining-Minute": components["headers"]["X-RateLimit-Remaining-Minute"];
                    "X-RateLimit-Limit-Day": components["headers"]["X-RateLimit-Limit-Day"];
                    "X-RateLimit-Remaining-Day": components["headers"]["X-RateLimit-Remaining-Day"];
                    "X-RateLimit-Reset-Day": components["headers"]["X-RateLimit-Reset-Day"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "internal_error";
                    };
                };
            };
            /** @description `deploying`: This server is shutting down or starting: try again in 30 seconds. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit-Minute": components["headers"]["X-RateLimit-Limit-Minute"];
                    "X-RateLimit-Remaining-Minute": components["headers"]["X-RateLimit-Remaining-Minute"];
                    "X-RateLimit-Limit-Day": components["headers"]["X-RateLimit-Limit-Day"];
                    "X-RateLimit-Remaining-Day": components["headers"]["X-RateLimit-Remaining-Day"];
                    "X-RateLimit-Reset-Day": components["headers"]["X-RateLimit-Reset-Day"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "deploying";
                    };
                };
            };
            /** @description `request_timeout`: The request took longer than 30 seconds. */
            504: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit-Minute": components["headers"]["X-RateLimit-Limit-Minute"];
                    "X-RateLimit-Remaining-Minute": components["headers"]["X-RateLimit-Remaining-Minute"];
                    "X-RateLimit-Limit-Day": components["headers"]["X-RateLimit-Limit-Day"];
                    "X-RateLimit-Remaining-Day": components["headers"]["X-RateLimit-Remaining-Day"];
                    "X-RateLimit-Reset-Day": components["headers"]["X-RateLimit-Reset-Day"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "request_timeout";
                    };
                };
            };
        };
    };
    giveFeedback: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                conversation_id: string;
                message_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Null takes it back, with its comment. */
                    value: ("up" | "down") | null;
                    /** @description More, in his own words. Where it is left out, what was said of the same value before stays. */
                    comment?: string | null;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit-Minute": components["headers"]["X-RateLimit-Limit-Minute"];
                    "X-RateLimit-Remaining-Minute": components["headers"]["X-RateLimit-Remaining-Minute"];
                    "X-RateLimit-Limit-Day": components["headers"]["X-RateLimit-Limit-Day"];
                    "X-RateLimit-Remaining-Day": components["headers"]["X-RateLimit-Remaining-Day"];
                    "X-RateLimit-Reset-Day": components["headers"]["X-RateLimit-Reset-Day"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
            /**
             * @description `malformed_request`: The request is not valid HTTP, or its address is not a valid one.
             *
             *     `invalid_json`: The body is not valid JSON.
             *
             *     `missing_field`: A required field is missing.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit-Minute": components["headers"]["X-RateLimit-Limit-Minute"];
                    "X-RateLimit-Remaining-Minute": components["headers"]["X-RateLimit-Remaining-Minute"];
                    "X-RateLimit-Limit-Day": components["headers"]["X-RateLimit-Limit-Day"];
                    "X-RateLimit-Remaining-Day": components["headers"]["X-RateLimit-Remaining-Day"];
                    "X-RateLimit-Reset-Day": components["headers"]["X-RateLimit-Reset-Day"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "malformed_request" | "invalid_json" | "missing_field";
                    };
                };
            };
            /**
             * @description `missing_auth`: Send the header Authorization: Bearer <API_KEY>.
             *
             *     `malformed_auth`: The Authorization header must be exactly: Bearer <API_KEY>.
             *
             *     `invalid_key`: This key was revoked or never existed.
             *
             *     `expired_key`: This key has expired.
             */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "missing_auth" | "malformed_auth" | "invalid_key" | "expired_key";
                    };
                };
            };
            /** @description `feature_not_in_plan`: This workspace's plan has no API access: it takes Starter or above. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit-Minute": components["headers"]["X-RateLimit-Limit-Minute"];
                    "X-RateLimit-Remaining-Minute": components["headers"]["X-RateLimit-Remaining-Minute"];
                    "X-RateLimit-Limit-Day": components["headers"]["X-RateLimit-Limit-Day"];
                    "X-RateLimit-Remaining-Day": components["headers"]["X-RateLimit-Remaining-Day"];
                    "X-RateLimit-Reset-Day": components["headers"]["X-RateLimit-Reset-Day"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "feature_not_in_plan";
                    };
                };
            };
            /**
             * @description `conversation_not_found`: There is no such conversation.
             *
             *     `message_not_found`: There is no such answer in this conversation.
             */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit-Minute": components["headers"]["X-RateLimit-Limit-Minute"];
                    "X-RateLimit-Remaining-Minute": components["headers"]["X-RateLimit-Remaining-Minute"];
                    "X-RateLimit-Limit-Day": components["headers"]["X-RateLimit-Limit-Day"];
                    "X-RateLimit-Remaining-Day": components["headers"]["X-RateLimit-Remaining-Day"];
                    "X-RateLimit-Reset-Day": components["headers"]["X-RateLimit-Reset-Day"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "conversation_not_found" | "message_not_found";
                    };
                };
            };
            /** @description `receive_timeout`: The request did not arrive in time. */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "receive_timeout";
                    };
                };
            };
            /** @description `payload_too_large`: The body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit-Minute": components["headers"]["X-RateLimit-Limit-Minute"];
                    "X-RateLimit-Remaining-Minute": components["headers"]["X-RateLimit-Remaining-Minute"];
                    "X-RateLimit-Limit-Day": components["headers"]["X-RateLimit-Limit-Day"];
                    "X-RateLimit-Remaining-Day": components["headers"]["X-RateLimit-Remaining-Day"];
                    "X-RateLimit-Reset-Day": components["headers"]["X-RateLimit-Reset-Day"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "payload_too_large";
                    };
                };
            };
            /** @description `unsupported_media_type`: The content type is not supported here. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit-Minute": components["headers"]["X-RateLimit-Limit-Minute"];
                    "X-RateLimit-Remaining-Minute": components["headers"]["X-RateLimit-Remaining-Minute"];
                    "X-RateLimit-Limit-Day": components["headers"]["X-RateLimit-Limit-Day"];
                    "X-RateLimit-Remaining-Day": components["headers"]["X-RateLimit-Remaining-Day"];
                    "X-RateLimit-Reset-Day": components["headers"]["X-RateLimit-Reset-Day"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "unsupported_media_type";
                    };
                };
            };
            /**
             * @description `invalid_body`: The body must be a JSON object.
             *
             *     `invalid_value`: value must be "up", "down" or null.
             *
             *     `invalid_comment`: comment must be a string of at most 4,000 characters.
             */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit-Minute": components["headers"]["X-RateLimit-Limit-Minute"];
                    "X-RateLimit-Remaining-Minute": components["headers"]["X-RateLimit-Remaining-Minute"];
                    "X-RateLimit-Limit-Day": components["headers"]["X-RateLimit-Limit-Day"];
                    "X-RateLimit-Remaining-Day": components["headers"]["X-RateLimit-Remaining-Day"];
                    "X-RateLimit-Reset-Day": components["headers"]["X-RateLimit-Reset-Day"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "invalid_body" | "invalid_value" | "invalid_comment";
                    };
                };
            };
            /**
             * @description `rate_limit_minute`: Too many requests this minute.
             *
             *     `rate_limit_day`: Too many requests today: the count starts again at midnight UTC.
             *
             *     `rate_limit_concurrent`: More than 50 requests of this key are in flight.
             */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit-Minute": components["headers"]["X-RateLimit-Limit-Minute"];
                    "X-RateLimit-Remaining-Minute": components["headers"]["X-RateLimit-Remaining-Minute"];
                    "X-RateLimit-Limit-Day": components["headers"]["X-RateLimit-Limit-Day"];
                    "X-RateLimit-Remaining-Day": components["headers"]["X-RateLimit-Remaining-Day"];
                    "X-RateLimit-Reset-Day": components["headers"]["X-RateLimit-Reset-Day"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "rate_limit_minute" | "rate_limit_day" | "rate_limit_concurrent";
                    };
                };
            };
            /** @description `headers_too_large`: The headers are larger than 16 KB. */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "headers_too_large";
                    };
                };
            };
            /** @description `internal_error`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit-Minute": components["headers"]["X-RateLimit-Limit-Minute"];
                    "X-RateLimit-Remaining-Minute": components["headers"]["X-RateLimit-Remaining-Minute"];
                    "X-RateLimit-Limit-Day": components["headers"]["X-RateLimit-Limit-Day"];
                    "X-RateLimit-Remaining-Day": components["headers"]["X-RateLimit-Remaining-Day"];
                    "X-RateLimit-Reset-Day": components["headers"]["X-RateLimit-Reset-Day"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "internal_error";
                    };
                };
            };
            /** @description `deploying`: This server is shutting down or starting: try again in 30 seconds. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit-Minute": components["headers"]["X-RateLimit-Limit-Minute"];
                    "X-RateLimit-Remaining-Minute": components["headers"]["X-RateLimit-Remaining-Minute"];
                    "X-RateLimit-Limit-Day": components["headers"]["X-RateLimit-Limit-Day"];
                    "X-RateLimit-Remaining-Day": components["headers"]["X-RateLimit-Remaining-Day"];
                    "X-RateLimit-Reset-Day": components["headers"]["X-RateLimit-Reset-Day"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "deploying";
                    };
                };
            };
            /** @description `request_timeout`: The request took longer than 30 seconds. */
            504: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit-Minute": components["headers"]["X-RateLimit-Limit-Minute"];
                    "X-RateLimit-Remaining-Minute": components["headers"]["X-RateLimit-Remaining-Minute"];
                    "X-RateLimit-Limit-Day": components["headers"]["X-RateLimit-Limit-Day"];
                    "X-RateLimit-Remaining-Day": components["headers"]["X-RateLimit-Remaining-Day"];
                    "X-RateLimit-Reset-Day": components["headers"]["X-RateLimit-Reset-Day"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "request_timeout";
                    };
                };
            };
        };
    };
    addNote: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                conversation_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    content: string;
                    /** @description The agent who acts, in place of the API key's name. */
                    author_email?: string | null;
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit-Minute": components["headers"]["X-RateLimit-Limit-Minute"];
                    "X-RateLimit-Remaining-Minute": components["headers"]["X-RateLimit-Remaining-Minute"];
                    "X-RateLimit-Limit-Day": components["headers"]["X-RateLimit-Limit-Day"];
                    "X-RateLimit-Remaining-Day": components["headers"]["X-RateLimit-Remaining-Day"];
                    "X-RateLimit-Reset-Day": components["headers"]["X-RateLimit-Reset-Day"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Note"];
                };
            };
            /**
             * @description `malformed_request`: The request is not valid HTTP, or its address is not a valid one.
             *
             *     `invalid_json`: The body is not valid JSON.
             *
             *     `missing_field`: A required field is missing.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit-Minute": components["headers"]["X-RateLimit-Limit-Minute"];
                    "X-RateLimit-Remaining-Minute": components["headers"]["X-RateLimit-Remaining-Minute"];
                    "X-RateLimit-Limit-Day": components["headers"]["X-RateLimit-Limit-Day"];
                    "X-RateLimit-Remaining-Day": components["headers"]["X-RateLimit-Remaining-Day"];
                    "X-RateLimit-Reset-Day": components["headers"]["X-RateLimit-Reset-Day"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "malformed_request" | "invalid_json" | "missing_field";
                    };
                };
            };
            /**
             * @description `missing_auth`: Send the header Authorization: Bearer <API_KEY>.
             *
             *     `malformed_auth`: The Authorization header must be exactly: Bearer <API_KEY>.
             *
             *     `invalid_key`: This key was revoked or never existed.
             *
             *     `expired_key`: This key has expired.
             */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "missing_auth" | "malformed_auth" | "invalid_key" | "expired_key";
                    };
                };
            };
            /** @description `feature_not_in_plan`: This workspace's plan has no API access: it takes Starter or above. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit-Minute": components["headers"]["X-RateLimit-Limit-Minute"];
                    "X-RateLimit-Remaining-Minute": components["headers"]["X-RateLimit-Remaining-Minute"];
                    "X-RateLimit-Limit-Day": components["headers"]["X-RateLimit-Limit-Day"];
                    "X-RateLimit-Remaining-Day": components["headers"]["X-RateLimit-Remaining-Day"];
                    "X-RateLimit-Reset-Day": components["headers"]["X-RateLimit-Reset-Day"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "feature_not_in_plan";
                    };
                };
            };
            /** @description `conversation_not_found`: There is no such conversation. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit-Minute": components["headers"]["X-RateLimit-Limit-Minute"];
                    "X-RateLimit-Remaining-Minute": components["headers"]["X-RateLimit-Remaining-Minute"];
                    "X-RateLimit-Limit-Day": components["headers"]["X-RateLimit-Limit-Day"];
                    "X-RateLimit-Remaining-Day": components["headers"]["X-RateLimit-Remaining-Day"];
                    "X-RateLimit-Reset-Day": components["headers"]["X-RateLimit-Reset-Day"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "conversation_not_found";
                    };
                };
            };
            /** @description `receive_timeout`: The request did not arrive in time. */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "receive_timeout";
                    };
                };
            };
            /** @description `payload_too_large`: The body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit-Minute": components["headers"]["X-RateLimit-Limit-Minute"];
                    "X-RateLimit-Remaining-Minute": components["headers"]["X-RateLimit-Remaining-Minute"];
                    "X-RateLimit-Limit-Day": components["headers"]["X-RateLimit-Limit-Day"];
                    "X-RateLimit-Remaining-Day": components["headers"]["X-RateLimit-Remaining-Day"];
                    "X-RateLimit-Reset-Day": components["headers"]["X-RateLimit-Reset-Day"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "payload_too_large";
                    };
                };
            };
            /** @description `unsupported_media_type`: The content type is not supported here. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit-Minute": components["headers"]["X-RateLimit-Limit-Minute"];
                    "X-RateLimit-Remaining-Minute": components["headers"]["X-RateLimit-Remaining-Minute"];
                    "X-RateLimit-Limit-Day": components["headers"]["X-RateLimit-Limit-Day"];
                    "X-RateLimit-Remaining-Day": components["headers"]["X-RateLimit-Remaining-Day"];
                    "X-RateLimit-Reset-Day": components["headers"]["X-RateLimit-Reset-Day"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "unsupported_media_type";
                    };
                };
            };
            /**
             * @description `invalid_body`: The body must be a JSON object.
             *
             *     `invalid_content`: content must be a string that is neither empty nor too long.
             *
             *     `invalid_author_email`: author_email must be an e-mail address.
             */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit-Minute": components["headers"]["X-RateLimit-Limit-Minute"];
                    "X-RateLimit-Remaining-Minute": components["headers"]["X-RateLimit-Remaining-Minute"];
                    "X-RateLimit-Limit-Day": components["headers"]["X-RateLimit-Limit-Day"];
                    "X-RateLimit-Remaining-Day": components["headers"]["X-RateLimit-Remaining-Day"];
                    "X-RateLimit-Reset-Day": components["headers"]["X-RateLimit-Reset-Day"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "invalid_body" | "invalid_content" | "invalid_author_email";
                    };
                };
            };
            /**
             * @description `rate_limit_minute`: Too many requests this minute.
             *
             *     `rate_limit_day`: Too many requests today: the count starts again at midnight UTC.
             *
             *     `rate_limit_concurrent`: More than 50 requests of this key are in flight.
             */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit-Minute": components["headers"]["X-RateLimit-Limit-Minute"];
                    "X-RateLimit-Remaining-Minute": components["headers"]["X-RateLimit-Remaining-Minute"];
                    "X-RateLimit-Limit-Day": components["headers"]["X-RateLimit-Limit-Day"];
                    "X-RateLimit-Remaining-Day": components["headers"]["X-RateLimit-Remaining-Day"];
                    "X-RateLimit-Reset-Day": components["headers"]["X-RateLimit-Reset-Day"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "rate_limit_minute" | "rate_limit_day" | "rate_limit_concurrent";
                    };
                };
            };
            /** @description `headers_too_large`: The headers are larger than 16 KB. */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "headers_too_large";
                    };
                };
            };
            /** @description `internal_error`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit-Minute": components["headers"]["X-RateLimit-Limit-Minute"];
                    "X-RateLimit-Remaining-Minute": components["headers"]["X-RateLimit-Remaining-Minute"];
                    "X-RateLimit-Limit-Day": components["headers"]["X-RateLimit-Limit-Day"];
                    "X-RateLimit-Remaining-Day": components["headers"]["X-RateLimit-Remaining-Day"];
                    "X-RateLimit-Reset-Day": components["headers"]["X-RateLimit-Reset-Day"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "internal_error";
                    };
                };
            };
            /** @description `deploying`: This server is shutting down or starting: try again in 30 seconds. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit-Minute": components["headers"]["X-RateLimit-Limit-Minute"];
                    "X-RateLimit-Remaining-Minute": components["headers"]["X-RateLimit-Remaining-Minute"];
                    "X-RateLimit-Limit-Day": components["headers"]["X-RateLimit-Limit-Day"];
                    "X-RateLimit-Remaining-Day": components["headers"]["X-RateLimit-Remaining-Day"];
                    "X-RateLimit-Reset-Day": components["headers"]["X-RateLimit-Reset-Day"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "deploying";
                    };
                };
            };
            /** @description `request_timeout`: The request took longer than 30 seconds. */
            504: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit-Minute": components["headers"]["X-RateLimit-Limit-Minute"];
                    "X-RateLimit-Remaining-Minute": components["headers"]["X-RateLimit-Remaining-Minute"];
                    "X-RateLimit-Limit-Day": components["headers"]["X-RateLimit-Limit-Day"];
                    "X-RateLimit-Remaining-Day": components["headers"]["X-RateLimit-Remaining-Day"];
                    "X-RateLimit-Reset-Day": components["headers"]["X-RateLimit-Reset-Day"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "request_timeout";
                    };
                };
            };
        };
    };
    discoverAgent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        name: string;
                        description: string;
                        /** @description Takes questions. */
                        ask_url: string;
                        /** @description The Model Context Protocol server, where the owner turned it on. */
                        mcp_url?: string;
                        /** @enum {string} */
                        protocol: "nlweb";
                        /** @enum {string} */
                        version: "v1";
                    };
                };
            };
            /** @description `malformed_request`: The request is not valid HTTP, or its address is not a valid one. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "malformed_request";
                    };
                };
            };
            /** @description `workspace_not_found`: There is no such workspace. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "workspace_not_found";
                    };
                };
            };
            /** @description `receive_timeout`: The request did not arrive in time. */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "receive_timeout";
                    };
                };
            };
            /** @description `headers_too_large`: The headers are larger than 16 KB. */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "headers_too_large";
                    };
                };
            };
            /** @description `internal_error`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "internal_error";
                    };
                };
            };
            /** @description `deploying`: This server is shutting down or starting: try again in 30 seconds. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "deploying";
                    };
                };
            };
        };
    };
    askAgentByAddress: {
        parameters: {
            query: {
                query: string;
                /** @description Where it is asked from; only logged. */
                site?: string;
                /** @description ISO 639-1; told by the question when absent. */
                locale?: string;
                /** @description Earlier questions, oldest first. */
                prev?: string[] | string;
                /** @description The question as it stands without the earlier ones; asked instead of query. */
                decontextualized_query?: string;
                query_id?: string;
                /** @description list (when absent): what is found; summarize: and what it says; generate: an answer. */
                mode?: string;
                /** @description Another name of mode, which many clients use. */
                generate_mode?: string;
                /** @description Whether the answer comes as server-sent events. */
                streaming?: boolean | number | string;
            };
            header?: never;
            path: {
                workspace_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer in the form of the NLWeb protocol. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NlwebAnswer"];
                    "text/event-stream": string;
                };
            };
            /**
             * @description `missing_field`: A required field is missing.
             *
             *     `message_too_long`: query is longer than 4,000 characters.
             *
             *     `malformed_request`: The request is not valid HTTP, or its address is not a valid one.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "missing_field" | "message_too_long" | "malformed_request";
                    };
                };
            };
            /** @description `workspace_not_found`: There is no such workspace. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "workspace_not_found";
                    };
                };
            };
            /** @description `receive_timeout`: The request did not arrive in time. */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "receive_timeout";
                    };
                };
            };
            /**
             * @description `invalid_query`: query must be a string.
             *
             *     `invalid_site`: site must be a string of at most 2,000 characters.
             *
             *     `invalid_locale`: locale must be an ISO 639-1 code.
             *
             *     `invalid_prev`: prev must be a string or an array of strings.
             *
             *     `invalid_decontextualized_query`: decontextualized_query must be a string of at most 4,000 characters.
             *
             *     `invalid_query_id`: query_id must be a string of at most 200 characters.
             *
             *     `invalid_mode`: mode must be list, summarize or generate.
             *
             *     `invalid_generate_mode`: generate_mode must be list, summarize or generate.
             *
             *     `invalid_streaming`: streaming must be true or false.
             */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "invalid_query" | "invalid_site" | "invalid_locale" | "invalid_prev" | "invalid_decontextualized_query" | "invalid_query_id" | "invalid_mode" | "invalid_generate_mode" | "invalid_streaming";
                    };
                };
            };
            /**
             * @description `rate_limit_minute`: Too many requests this minute.
             *
             *     `quota_exhausted`: The owner's monthly message allowance is used up.
             */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "rate_limit_minute" | "quota_exhausted";
                    };
                };
            };
            /** @description `headers_too_large`: The headers are larger than 16 KB. */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "headers_too_large";
                    };
                };
            };
            /**
             * @description `model_provider_error`: The language-model provider answered with an error.
             *
             *     `internal_error`: Something went wrong on our side.
             */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "model_provider_error" | "internal_error";
                    };
                };
            };
            /** @description `upstream_timeout`: A backend service did not answer in time. */
            502: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "upstream_timeout";
                    };
                };
            };
            /**
             * @description `provider_down`: No language-model provider can be reached.
             *
             *     `deploying`: This server is shutting down or starting: try again in 30 seconds.
             */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "provider_down" | "deploying";
                    };
                };
            };
            /** @description `request_timeout`: The request took longer than 30 seconds. */
            504: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "request_timeout";
                    };
                };
            };
        };
    };
    askAgent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    query: string;
                    /** @description Where it is asked from; only logged. */
                    site?: string | null;
                    /** @description ISO 639-1; told by the question when absent. */
                    locale?: string | null;
                    /**
                     * @description Earlier turns, oldest first. To continue a thread, echo a conversation_id as an item: {"role": "conversation_id", "content": "conv_…"}, an object with the property conversation_id, or the id itself.
                     * @default []
                     */
                    previous_responses?: (({
                        role?: string | null;
                        content?: string | null;
                        conversation_id?: string | null;
                    } & {
                        [key: string]: unknown;
                    }) | string)[] | null;
                    /** @description Earlier questions, oldest first. */
                    prev?: string[] | string | null;
                    /** @description The question as it stands without the earlier ones; asked instead of query. */
                    decontextualized_query?: string | null;
                    query_id?: string | null;
                    /** @description list (when absent): what is found; summarize: and what it says; generate: an answer. */
                    mode?: string | null;
                    /** @description Another name of mode, which many clients use. */
                    generate_mode?: string | null;
                    /** @description Whether the answer comes as server-sent events. */
                    streaming?: (boolean | number | string) | null;
                };
            };
        };
        responses: {
            /** @description The answer; in the form of upstream's protocol where one of its parameters is sent. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PublicAnswer"] | components["schemas"]["NlwebAnswer"];
                    "text/event-stream": string;
                };
            };
            /**
             * @description `missing_field`: A required field is missing.
             *
             *     `message_too_long`: query is longer than 4,000 characters.
             *
             *     `malformed_request`: The request is not valid HTTP, or its address is not a valid one.
             *
             *     `invalid_json`: The body is not valid JSON.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "missing_field" | "message_too_long" | "malformed_request" | "invalid_json";
                    };
                };
            };
            /** @description `workspace_not_found`: There is no such workspace. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "workspace_not_found";
                    };
                };
            };
            /** @description `receive_timeout`: The request did not arrive in time. */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "receive_timeout";
                    };
                };
            };
            /** @description `payload_too_large`: The body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "payload_too_large";
                    };
                };
            };
            /** @description `unsupported_media_type`: The content type is not supported here. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "unsupported_media_type";
                    };
                };
            };
            /**
             * @description `invalid_body`: The body must be a JSON object.
             *
             *     `invalid_query`: query must be a string.
             *
             *     `invalid_site`: site must be a string of at most 2,000 characters.
             *
             *     `invalid_locale`: locale must be an ISO 639-1 code.
             *
             *     `invalid_previous_responses`: previous_responses must be an array of objects with role and content.
             *
             *     `invalid_prev`: prev must be a string or an array of strings.
             *
             *     `invalid_decontextualized_query`: decontextualized_query must be a string of at most 4,000 characters.
             *
             *     `invalid_query_id`: query_id must be a string of at most 200 characters.
             *
             *     `invalid_mode`: mode must be list, summarize or generate.
             *
             *     `invalid_generate_mode`: generate_mode must be list, summarize or generate.
             *
             *     `invalid_streaming`: streaming must be true or false.
             */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "invalid_body" | "invalid_query" | "invalid_site" | "invalid_locale" | "invalid_previous_responses" | "invalid_prev" | "invalid_decontextualized_query" | "invalid_query_id" | "invalid_mode" | "invalid_generate_mode" | "invalid_streaming";
                    };
                };
            };
            /**
             * @description `rate_limit_minute`: Too many requests this minute.
             *
             *     `quota_exhausted`: The owner's monthly message allowance is used up.
             */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "rate_limit_minute" | "quota_exhausted";
                    };
                };
            };
            /** @description `headers_too_large`: The headers are larger than 16 KB. */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "headers_too_large";
                    };
                };
            };
            /**
             * @description `model_provider_error`: The language-model provider answered with an error.
             *
             *     `internal_error`: Something went wrong on our side.
             */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "model_provider_error" | "internal_error";
                    };
                };
            };
            /** @description `upstream_timeout`: A backend service did not answer in time. */
            502: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "upstream_timeout";
                    };
                };
            };
            /**
             * @description `provider_down`: No language-model provider can be reached.
             *
             *     `deploying`: This server is shutting down or starting: try again in 30 seconds.
             */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "provider_down" | "deploying";
                    };
                };
            };
            /** @description `request_timeout`: The request took longer than 30 seconds. */
            504: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "request_timeout";
                    };
                };
            };
        };
    };
    listWorkspaces: {
        parameters: {
            query?: {
                limit?: number;
                /** @description next_cursor of the page before. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        workspaces: components["schemas"]["Workspace"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
            /** @description `malformed_request`: The request is not valid HTTP, or its address is not a valid one. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "malformed_request";
                    };
                };
            };
            /**
             * @description `missing_auth`: Send the header Authorization: Bearer <API_KEY>.
             *
             *     `malformed_auth`: The Authorization header must be exactly: Bearer <API_KEY>.
             *
             *     `invalid_key`: This key was revoked or never existed.
             */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "missing_auth" | "malformed_auth" | "invalid_key";
                    };
                };
            };
            /** @description `receive_timeout`: The request did not arrive in time. */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "receive_timeout";
                    };
                };
            };
            /**
             * @description `invalid_limit`: limit must be an integer from 1 to 100.
             *
             *     `invalid_cursor`: cursor must be a next_cursor of this very list.
             */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "invalid_limit" | "invalid_cursor";
                    };
                };
            };
            /** @description `headers_too_large`: The headers are larger than 16 KB. */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "headers_too_large";
                    };
                };
            };
            /** @description `internal_error`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "internal_error";
                    };
                };
            };
            /** @description `deploying`: This server is shutting down or starting: try again in 30 seconds. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "deploying";
                    };
                };
            };
        };
    };
    createWorkspace: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Acme help",
                 *       "settings": {
                 *         "audiences": [
                 *           "staff"
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": {
                    name: string;
                    /**
                     * @default starter
                     * @enum {string|null}
                     */
                    plan?: "free" | "starter" | "growth" | "business" | "enterprise" | null;
                    /** @description A new owner when absent. */
                    owner?: string | null;
                    settings?: {
                        nlweb_enabled?: boolean | null;
                        mcp_enabled?: boolean | null;
                        description?: string | null;
                        fallback_message?: string | null;
                        audiences?: string[] | null;
                        require_identity_verification?: boolean | null;
                        /** @enum {string|null} */
                        strictness?: "strict" | "fallback" | null;
                        allowed_domains?: string[] | null;
                        sla?: {
                            first_response_minutes?: number | null;
                            resolution_minutes?: number | null;
                        } | null;
                        retention_days?: number | null;
                        model?: string | null;
                        mask_secrets?: boolean | null;
                        skills?: string[] | null;
                        support_hours?: {
                            time_zone: string;
                            monday?: {
                                from: string;
                                to: string;
                            }[] | null;
                            tuesday?: {
                                from: string;
                                to: string;
                            }[] | null;
                            wednesday?: {
                                from: string;
                                to: string;
                            }[] | null;
                            thursday?: {
                                from: string;
                                to: string;
                            }[] | null;
                            friday?: {
                                from: string;
                                to: string;
                            }[] | null;
                            saturday?: {
                                from: string;
                                to: string;
                            }[] | null;
                            sunday?: {
                                from: string;
                                to: string;
                            }[] | null;
                        } | null;
                        escalate_after_fallbacks?: number | null;
                    } | null;
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        owner: string;
                        name: string;
                        /** @enum {string} */
                        plan: "free" | "starter" | "growth" | "business" | "enterprise";
                        settings: {
                            nlweb_enabled?: boolean;
                            mcp_enabled?: boolean;
                            description?: string;
                            fallback_message?: string;
                            audiences?: string[];
                            require_identity_verification?: boolean;
                            /** @enum {string} */
                            strictness?: "strict" | "fallback";
                            allowed_domains?: string[];
                            sla?: {
                                first_response_minutes?: number;
                                resolution_minutes?: number;
                            };
                            retention_days?: number;
                            model?: string;
                            mask_secrets?: boolean;
                            skills?: string[];
                            support_hours?: {
                                time_zone: string;
                                monday?: {
                                    from: string;
                                    to: string;
                                }[];
                                tuesday?: {
                                    from: string;
                                    to: string;
                                }[];
                                wednesday?: {
                                    from: string;
                                    to: string;
                                }[];
                                thursday?: {
                                    from: string;
                                    to: string;
                                }[];
                                friday?: {
                                    from: string;
                                    to: string;
                                }[];
                                saturday?: {
                                    from: string;
                                    to: string;
                                }[];
                                sunday?: {
                                    from: string;
                                    to: string;
                                }[];
                            };
                            escalate_after_fallbacks?: number;
                        };
                        /** @description For browsers: opens the widget only. */
                        public_token: string;
                        /** Format: date-time */
                        created_at: string;
                        /** @description Shown here and nowhere else. */
                        identity_secret: string;
                    };
                };
            };
            /**
             * @description `malformed_request`: The request is not valid HTTP, or its address is not a valid one.
             *
             *     `invalid_json`: The body is not valid JSON.
             *
             *     `missing_field`: A required field is missing.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "malformed_request" | "invalid_json" | "missing_field";
                    };
                };
            };
            /**
             * @description `missing_auth`: Send the header Authorization: Bearer <API_KEY>.
             *
             *     `malformed_auth`: The Authorization header must be exactly: Bearer <API_KEY>.
             *
             *     `invalid_key`: This key was revoked or never existed.
             */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "missing_auth" | "malformed_auth" | "invalid_key";
                    };
                };
            };
            /** @description `owner_not_found`: There is no such owner. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "owner_not_found";
                    };
                };
            };
            /** @description `receive_timeout`: The request did not arrive in time. */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "receive_timeout";
                    };
                };
            };
            /** @description `payload_too_large`: The body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "payload_too_large";
                    };
                };
            };
            /** @description `unsupported_media_type`: The content type is not supported here. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "unsupported_media_type";
                    };
                };
            };
            /**
             * @description `invalid_body`: The body must be a JSON object.
             *
             *     `invalid_name`: name must be a string of 1 to 200 characters.
             *
             *     `invalid_plan`: plan must be free, starter, growth, business or enterprise.
             *
             *     `invalid_owner`: owner must be a string of 1 to 100 characters.
             *
             *     `invalid_settings`: settings holds a value that is not understood.
             */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "invalid_body" | "invalid_name" | "invalid_plan" | "invalid_owner" | "invalid_settings";
                    };
                };
            };
            /** @description `headers_too_large`: The headers are larger than 16 KB. */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "headers_too_large";
                    };
                };
            };
            /** @description `internal_error`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "internal_error";
                    };
                };
            };
            /** @description `deploying`: This server is shutting down or starting: try again in 30 seconds. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "deploying";
                    };
                };
            };
        };
    };
    getQueues: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Queues"];
                };
            };
            /** @description `malformed_request`: The request is not valid HTTP, or its address is not a valid one. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "malformed_request";
                    };
                };
            };
            /**
             * @description `missing_auth`: Send the header Authorization: Bearer <API_KEY>.
             *
             *     `malformed_auth`: The Authorization header must be exactly: Bearer <API_KEY>.
             *
             *     `invalid_key`: This key was revoked or never existed.
             */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "missing_auth" | "malformed_auth" | "invalid_key";
                    };
                };
            };
            /** @description `receive_timeout`: The request did not arrive in time. */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "receive_timeout";
                    };
                };
            };
            /** @description `headers_too_large`: The headers are larger than 16 KB. */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "headers_too_large";
                    };
                };
            };
            /** @description `internal_error`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "internal_error";
                    };
                };
            };
            /** @description `deploying`: This server is shutting down or starting: try again in 30 seconds. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "deploying";
                    };
                };
            };
        };
    };
    listQueueFailures: {
        parameters: {
            query?: {
                limit?: number;
                /** @description next_cursor of the page before. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description answer: messages of visitors. deliver: what is sent to them. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        failures: components["schemas"]["QueueFailure"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
            /** @description `malformed_request`: The request is not valid HTTP, or its address is not a valid one. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "malformed_request";
                    };
                };
            };
            /**
             * @description `missing_auth`: Send the header Authorization: Bearer <API_KEY>.
             *
             *     `malformed_auth`: The Authorization header must be exactly: Bearer <API_KEY>.
             *
             *     `invalid_key`: This key was revoked or never existed.
             */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "missing_auth" | "malformed_auth" | "invalid_key";
                    };
                };
            };
            /** @description `queue_not_found`: Only the queues answer and deliver keep what they gave up. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "queue_not_found";
                    };
                };
            };
            /** @description `receive_timeout`: The request did not arrive in time. */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "receive_timeout";
                    };
                };
            };
            /**
             * @description `invalid_limit`: limit must be an integer from 1 to 100.
             *
             *     `invalid_cursor`: cursor must be a next_cursor of this very list.
             */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "invalid_limit" | "invalid_cursor";
                    };
                };
            };
            /** @description `headers_too_large`: The headers are larger than 16 KB. */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "headers_too_large";
                    };
                };
            };
            /** @description `internal_error`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "internal_error";
                    };
                };
            };
            /** @description `deploying`: This server is shutting down or starting: try again in 30 seconds. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "deploying";
                    };
                };
            };
        };
    };
    retryQueue: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description answer: messages of visitors. deliver: what is sent to them. */
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Only of this channel; of all when absent. */
                    channel_id?: string | null;
                } | null;
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        retried: number;
                    };
                };
            };
            /**
             * @description `malformed_request`: The request is not valid HTTP, or its address is not a valid one.
             *
             *     `invalid_json`: The body is not valid JSON.
             *
             *     `missing_field`: A required field is missing.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "malformed_request" | "invalid_json" | "missing_field";
                    };
                };
            };
            /**
             * @description `missing_auth`: Send the header Authorization: Bearer <API_KEY>.
             *
             *     `malformed_auth`: The Authorization header must be exactly: Bearer <API_KEY>.
             *
             *     `invalid_key`: This key was revoked or never existed.
             */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "missing_auth" | "malformed_auth" | "invalid_key";
                    };
                };
            };
            /**
             * @description `queue_not_found`: Only the queues answer and deliver keep what they gave up.
             *
             *     `channel_not_found`: There is no such channel.
             */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "queue_not_found" | "channel_not_found";
                    };
                };
            };
            /** @description `receive_timeout`: The request did not arrive in time. */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "receive_timeout";
                    };
                };
            };
            /** @description `payload_too_large`: The body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "payload_too_large";
                    };
                };
            };
            /** @description `unsupported_media_type`: The content type is not supported here. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "unsupported_media_type";
                    };
                };
            };
            /** @description `invalid_body`: The body must be a JSON object. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "invalid_body";
                    };
                };
            };
            /** @description `headers_too_large`: The headers are larger than 16 KB. */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "headers_too_large";
                    };
                };
            };
            /** @description `internal_error`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "internal_error";
                    };
                };
            };
            /** @description `deploying`: This server is shutting down or starting: try again in 30 seconds. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "deploying";
                    };
                };
            };
        };
    };
    getWorkspace: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Workspace"];
                };
            };
            /**
             * @description `malformed_request`: The request is not valid HTTP, or its address is not a valid one.
             *
             *     `invalid_workspace_id`: workspace_id is malformed: it looks like ws_… or wt_<id>_<suffix>.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "malformed_request" | "invalid_workspace_id";
                    };
                };
            };
            /**
             * @description `missing_auth`: Send the header Authorization: Bearer <API_KEY>.
             *
             *     `malformed_auth`: The Authorization header must be exactly: Bearer <API_KEY>.
             *
             *     `invalid_key`: This key was revoked or never existed.
             */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "missing_auth" | "malformed_auth" | "invalid_key";
                    };
                };
            };
            /** @description `workspace_not_found`: There is no such workspace. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "workspace_not_found";
                    };
                };
            };
            /** @description `receive_timeout`: The request did not arrive in time. */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "receive_timeout";
                    };
                };
            };
            /** @description `headers_too_large`: The headers are larger than 16 KB. */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "headers_too_large";
                    };
                };
            };
            /** @description `internal_error`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "internal_error";
                    };
                };
            };
            /** @description `deploying`: This server is shutting down or starting: try again in 30 seconds. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "deploying";
                    };
                };
            };
        };
    };
    deleteWorkspace: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /**
             * @description `malformed_request`: The request is not valid HTTP, or its address is not a valid one.
             *
             *     `invalid_json`: The body is not valid JSON.
             *
             *     `invalid_workspace_id`: workspace_id is malformed: it looks like ws_… or wt_<id>_<suffix>.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "malformed_request" | "invalid_json" | "invalid_workspace_id";
                    };
                };
            };
            /**
             * @description `missing_auth`: Send the header Authorization: Bearer <API_KEY>.
             *
             *     `malformed_auth`: The Authorization header must be exactly: Bearer <API_KEY>.
             *
             *     `invalid_key`: This key was revoked or never existed.
             */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "missing_auth" | "malformed_auth" | "invalid_key";
                    };
                };
            };
            /** @description `workspace_not_found`: There is no such workspace. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "workspace_not_found";
                    };
                };
            };
            /** @description `receive_timeout`: The request did not arrive in time. */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "receive_timeout";
                    };
                };
            };
            /** @description `payload_too_large`: The body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "payload_too_large";
                    };
                };
            };
            /** @description `unsupported_media_type`: The content type is not supported here. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "unsupported_media_type";
                    };
                };
            };
            /** @description `headers_too_large`: The headers are larger than 16 KB. */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "headers_too_large";
                    };
                };
            };
            /** @description `internal_error`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "internal_error";
                    };
                };
            };
            /** @description `deploying`: This server is shutting down or starting: try again in 30 seconds. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "deploying";
                    };
                };
            };
        };
    };
    updateWorkspace: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name?: string | null;
                    /** @enum {string|null} */
                    plan?: "free" | "starter" | "growth" | "business" | "enterprise" | null;
                    settings?: {
                        nlweb_enabled?: boolean | null;
                        mcp_enabled?: boolean | null;
                        description?: string | null;
                        fallback_message?: string | null;
                        audiences?: string[] | null;
                        require_identity_verification?: boolean | null;
                        strictness?: ("strict" | "fallback") | null;
                        allowed_domains?: string[] | null;
                        sla?: {
                            first_response_minutes?: number | null;
                            resolution_minutes?: number | null;
                        } | null;
                        retention_days?: number | null;
                        model?: string | null;
                        mask_secrets?: boolean | null;
                        skills?: string[] | null;
                        support_hours?: {
                            time_zone: string;
                            monday?: {
                                from: string;
                                to: string;
                            }[] | null;
                            tuesday?: {
                                from: string;
                                to: string;
                            }[] | null;
                            wednesday?: {
                                from: string;
                                to: string;
                            }[] | null;
                            thursday?: {
                                from: string;
                                to: string;
                            }[] | null;
                            friday?: {
                                from: string;
                                to: string;
                            }[] | null;
                            saturday?: {
                                from: string;
                                to: string;
                            }[] | null;
                            sunday?: {
                                from: string;
                                to: string;
                            }[] | null;
                        } | null;
                        escalate_after_fallbacks?: number | null;
                    } | null;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Workspace"];
                };
            };
            /**
             * @description `malformed_request`: The request is not valid HTTP, or its address is not a valid one.
             *
             *     `invalid_json`: The body is not valid JSON.
             *
             *     `invalid_workspace_id`: workspace_id is malformed: it looks like ws_… or wt_<id>_<suffix>.
             *
             *     `missing_field`: A required field is missing.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "malformed_request" | "invalid_json" | "invalid_workspace_id" | "missing_field";
                    };
                };
            };
            /**
             * @description `missing_auth`: Send the header Authorization: Bearer <API_KEY>.
             *
             *     `malformed_auth`: The Authorization header must be exactly: Bearer <API_KEY>.
             *
             *     `invalid_key`: This key was revoked or never existed.
             */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "missing_auth" | "malformed_auth" | "invalid_key";
                    };
                };
            };
            /** @description `workspace_not_found`: There is no such workspace. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "workspace_not_found";
                    };
                };
            };
            /** @description `receive_timeout`: The request did not arrive in time. */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "receive_timeout";
                    };
                };
            };
            /** @description `plan_downgrade_blocked`: The plan cannot be lowered in the middle of a cycle. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "plan_downgrade_blocked";
                    };
                };
            };
            /** @description `payload_too_large`: The body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "payload_too_large";
                    };
                };
            };
            /** @description `unsupported_media_type`: The content type is not supported here. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "unsupported_media_type";
                    };
                };
            };
            /**
             * @description `invalid_body`: The body must be a JSON object.
             *
             *     `invalid_name`: name must be a string of 1 to 200 characters.
             *
             *     `invalid_plan`: plan must be free, starter, growth, business or enterprise.
             *
             *     `invalid_settings`: settings holds a value that is not understood.
             */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "invalid_body" | "invalid_name" | "invalid_plan" | "invalid_settings";
                    };
                };
            };
            /** @description `headers_too_large`: The headers are larger than 16 KB. */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "headers_too_large";
                    };
                };
            };
            /** @description `internal_error`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "internal_error";
                    };
                };
            };
            /** @description `deploying`: This server is shutting down or starting: try again in 30 seconds. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "deploying";
                    };
                };
            };
        };
    };
    listKeys: {
        parameters: {
            query?: {
                limit?: number;
                /** @description next_cursor of the page before. */
                cursor?: string;
            };
            header?: never;
            path: {
                workspace_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        keys: components["schemas"]["Key"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
            /**
             * @description `malformed_request`: The request is not valid HTTP, or its address is not a valid one.
             *
             *     `invalid_workspace_id`: workspace_id is malformed: it looks like ws_… or wt_<id>_<suffix>.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "malformed_request" | "invalid_workspace_id";
                    };
                };
            };
            /**
             * @description `missing_auth`: Send the header Authorization: Bearer <API_KEY>.
             *
             *     `malformed_auth`: The Authorization header must be exactly: Bearer <API_KEY>.
             *
             *     `invalid_key`: This key was revoked or never existed.
             */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "missing_auth" | "malformed_auth" | "invalid_key";
                    };
                };
            };
            /** @description `workspace_not_found`: There is no such workspace. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "workspace_not_found";
                    };
                };
            };
            /** @description `receive_timeout`: The request did not arrive in time. */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "receive_timeout";
                    };
                };
            };
            /**
             * @description `invalid_limit`: limit must be an integer from 1 to 100.
             *
             *     `invalid_cursor`: cursor must be a next_cursor of this very list.
             */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "invalid_limit" | "invalid_cursor";
                    };
                };
            };
            /** @description `headers_too_large`: The headers are larger than 16 KB. */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "headers_too_large";
                    };
                };
            };
            /** @description `internal_error`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "internal_error";
                    };
                };
            };
            /** @description `deploying`: This server is shutting down or starting: try again in 30 seconds. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "deploying";
                    };
                };
            };
        };
    };
    createKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Website",
                 *       "rate_limit_minute": 120
                 *     }
                 */
                "application/json": {
                    name: string;
                    rate_limit_minute?: number | null;
                    rate_limit_day?: number | null;
                    /** Format: date-time */
                    expires_at?: string | null;
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        workspace_id: string;
                        name: string;
                        /** @description The last four characters of the key. */
                        ending: string;
                        rate_limit_minute: number;
                        rate_limit_day: number;
                        expires_at: string | null;
                        /** Format: date-time */
                        created_at: string;
                        /** @description The key itself: shown here and nowhere else. */
                        key: string;
                    };
                };
            };
            /**
             * @description `malformed_request`: The request is not valid HTTP, or its address is not a valid one.
             *
             *     `invalid_json`: The body is not valid JSON.
             *
             *     `invalid_workspace_id`: workspace_id is malformed: it looks like ws_… or wt_<id>_<suffix>.
             *
             *     `missing_field`: A required field is missing.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "malformed_request" | "invalid_json" | "invalid_workspace_id" | "missing_field";
                    };
                };
            };
            /**
             * @description `missing_auth`: Send the header Authorization: Bearer <API_KEY>.
             *
             *     `malformed_auth`: The Authorization header must be exactly: Bearer <API_KEY>.
             *
             *     `invalid_key`: This key was revoked or never existed.
             */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "missing_auth" | "malformed_auth" | "invalid_key";
                    };
                };
            };
            /** @description `workspace_not_found`: There is no such workspace. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "workspace_not_found";
                    };
                };
            };
            /** @description `receive_timeout`: The request did not arrive in time. */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "receive_timeout";
                    };
                };
            };
            /** @description `payload_too_large`: The body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "payload_too_large";
                    };
                };
            };
            /** @description `unsupported_media_type`: The content type is not supported here. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "unsupported_media_type";
                    };
                };
            };
            /**
             * @description `invalid_body`: The body must be a JSON object.
             *
             *     `invalid_name`: name must be a string of 1 to 200 characters.
             *
             *     `invalid_rate_limit_minute`: rate_limit_minute must be an integer from 1 to 1,000.
             *
             *     `invalid_rate_limit_day`: rate_limit_day must be an integer from 1 to 100,000.
             *
             *     `invalid_expires_at`: expires_at must be an ISO 8601 time in the future.
             */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "invalid_body" | "invalid_name" | "invalid_rate_limit_minute" | "invalid_rate_limit_day" | "invalid_expires_at";
                    };
                };
            };
            /** @description `headers_too_large`: The headers are larger than 16 KB. */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "headers_too_large";
                    };
                };
            };
            /** @description `internal_error`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "internal_error";
                    };
                };
            };
            /** @description `deploying`: This server is shutting down or starting: try again in 30 seconds. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "deploying";
                    };
                };
            };
        };
    };
    revokeKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace_id: string;
                key_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /**
             * @description `malformed_request`: The request is not valid HTTP, or its address is not a valid one.
             *
             *     `invalid_json`: The body is not valid JSON.
             *
             *     `invalid_workspace_id`: workspace_id is malformed: it looks like ws_… or wt_<id>_<suffix>.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "malformed_request" | "invalid_json" | "invalid_workspace_id";
                    };
                };
            };
            /**
             * @description `missing_auth`: Send the header Authorization: Bearer <API_KEY>.
             *
             *     `malformed_auth`: The Authorization header must be exactly: Bearer <API_KEY>.
             *
             *     `invalid_key`: This key was revoked or never existed.
             */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "missing_auth" | "malformed_auth" | "invalid_key";
                    };
                };
            };
            /**
             * @description `workspace_not_found`: There is no such workspace.
             *
             *     `key_not_found`: There is no such key.
             */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "workspace_not_found" | "key_not_found";
                    };
                };
            };
            /** @description `receive_timeout`: The request did not arrive in time. */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "receive_timeout";
                    };
                };
            };
            /** @description `payload_too_large`: The body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "payload_too_large";
                    };
                };
            };
            /** @description `unsupported_media_type`: The content type is not supported here. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "unsupported_media_type";
                    };
                };
            };
            /** @description `headers_too_large`: The headers are larger than 16 KB. */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "headers_too_large";
                    };
                };
            };
            /** @description `internal_error`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "internal_error";
                    };
                };
            };
            /** @description `deploying`: This server is shutting down or starting: try again in 30 seconds. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "deploying";
                    };
                };
            };
        };
    };
    listDocuments: {
        parameters: {
            query?: {
                limit?: number;
                /** @description next_cursor of the page before. */
                cursor?: string;
            };
            header?: never;
            path: {
                workspace_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        documents: components["schemas"]["Document"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
            /**
             * @description `malformed_request`: The request is not valid HTTP, or its address is not a valid one.
             *
             *     `invalid_workspace_id`: workspace_id is malformed: it looks like ws_… or wt_<id>_<suffix>.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "malformed_request" | "invalid_workspace_id";
                    };
                };
            };
            /**
             * @description `missing_auth`: Send the header Authorization: Bearer <API_KEY>.
             *
             *     `malformed_auth`: The Authorization header must be exactly: Bearer <API_KEY>.
             *
             *     `invalid_key`: This key was revoked or never existed.
             */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "missing_auth" | "malformed_auth" | "invalid_key";
                    };
                };
            };
            /** @description `workspace_not_found`: There is no such workspace. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "workspace_not_found";
                    };
                };
            };
            /** @description `receive_timeout`: The request did not arrive in time. */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "receive_timeout";
                    };
                };
            };
            /**
             * @description `invalid_limit`: limit must be an integer from 1 to 100.
             *
             *     `invalid_cursor`: cursor must be a next_cursor of this very list.
             */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "invalid_limit" | "invalid_cursor";
                    };
                };
            };
            /** @description `headers_too_large`: The headers are larger than 16 KB. */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "headers_too_large";
                    };
                };
            };
            /** @description `internal_error`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "internal_error";
                    };
                };
            };
            /** @description `deploying`: This server is shutting down or starting: try again in 30 seconds. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "deploying";
                    };
                };
            };
        };
    };
    addDocument: {
        parameters: {
            query?: {
                /** @description Answer when it is indexed or failed. */
                wait?: "true" | "false";
            };
            header?: never;
            path: {
                workspace_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    title?: string | null;
                    /**
                     * Format: uri
                     * @description A document with the same address is replaced.
                     */
                    url?: string | null;
                    /** @description The text, unless there is a file. */
                    content?: string | null;
                    /** @enum {string|null} */
                    content_type?: "text/plain" | "text/markdown" | "text/html" | null;
                    /** @default [] */
                    audience?: string[] | null;
                    /**
                     * Format: binary
                     * @description PDF, DOCX, Markdown, HTML, text or CSV.
                     */
                    file?: string | null;
                };
                "multipart/form-data": {
                    title?: string | null;
                    /**
                     * Format: uri
                     * @description A document with the same address is replaced.
                     */
                    url?: string | null;
                    /** @description The text, unless there is a file. */
                    content?: string | null;
                    /** @enum {string|null} */
                    content_type?: "text/plain" | "text/markdown" | "text/html" | null;
                    /** @default [] */
                    audience?: string[] | null;
                    /**
                     * Format: binary
                     * @description PDF, DOCX, Markdown, HTML, text or CSV.
                     */
                    file?: string | null;
                };
            };
        };
        responses: {
            /** @description With wait: it is indexed or failed. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Document"];
                };
            };
            /** @description It will be indexed. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Document"];
                };
            };
            /**
             * @description `invalid_multipart`: The multipart body could not be read.
             *
             *     `malformed_request`: The request is not valid HTTP, or its address is not a valid one.
             *
             *     `invalid_json`: The body is not valid JSON.
             *
             *     `invalid_workspace_id`: workspace_id is malformed: it looks like ws_… or wt_<id>_<suffix>.
             *
             *     `missing_field`: A required field is missing.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "invalid_multipart" | "malformed_request" | "invalid_json" | "invalid_workspace_id" | "missing_field";
                    };
                };
            };
            /**
             * @description `missing_auth`: Send the header Authorization: Bearer <API_KEY>.
             *
             *     `malformed_auth`: The Authorization header must be exactly: Bearer <API_KEY>.
             *
             *     `invalid_key`: This key was revoked or never existed.
             */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "missing_auth" | "malformed_auth" | "invalid_key";
                    };
                };
            };
            /** @description `workspace_not_found`: There is no such workspace. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "workspace_not_found";
                    };
                };
            };
            /** @description `receive_timeout`: The request did not arrive in time. */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "receive_timeout";
                    };
                };
            };
            /** @description `payload_too_large`: The body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "payload_too_large";
                    };
                };
            };
            /** @description `unsupported_media_type`: The content type is not supported here. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "unsupported_media_type";
                    };
                };
            };
            /**
             * @description `invalid_wait`: wait must be "true" or "false".
             *
             *     `invalid_body`: The body must be a JSON object.
             *
             *     `invalid_title`: title must be a string of 1 to 500 characters.
             *
             *     `invalid_url`: url must be an http(s) address of at most 2,000 characters.
             *
             *     `invalid_content`: content must be a string that is neither empty nor too long.
             *
             *     `invalid_content_type`: content_type must be text/plain, text/markdown or text/html.
             *
             *     `invalid_audience`: audience must be an array of the workspace's audience tags.
             *
             *     `invalid_file`: file must be exactly one non-empty file.
             */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "invalid_wait" | "invalid_body" | "invalid_title" | "invalid_url" | "invalid_content" | "invalid_content_type" | "invalid_audience" | "invalid_file";
                    };
                };
            };
            /** @description `headers_too_large`: The headers are larger than 16 KB. */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "headers_too_large";
                    };
                };
            };
            /** @description `internal_error`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "internal_error";
                    };
                };
            };
            /** @description `deploying`: This server is shutting down or starting: try again in 30 seconds. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "deploying";
                    };
                };
            };
        };
    };
    getDocument: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace_id: string;
                doc_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Document"];
                };
            };
            /**
             * @description `malformed_request`: The request is not valid HTTP, or its address is not a valid one.
             *
             *     `invalid_workspace_id`: workspace_id is malformed: it looks like ws_… or wt_<id>_<suffix>.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "malformed_request" | "invalid_workspace_id";
                    };
                };
            };
            /**
             * @description `missing_auth`: Send the header Authorization: Bearer <API_KEY>.
             *
             *     `malformed_auth`: The Authorization header must be exactly: Bearer <API_KEY>.
             *
             *     `invalid_key`: This key was revoked or never existed.
             */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "missing_auth" | "malformed_auth" | "invalid_key";
                    };
                };
            };
            /**
             * @description `workspace_not_found`: There is no such workspace.
             *
             *     `document_not_found`: There is no such document.
             */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "workspace_not_found" | "document_not_found";
                    };
                };
            };
            /** @description `receive_timeout`: The request did not arrive in time. */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "receive_timeout";
                    };
                };
            };
            /** @description `headers_too_large`: The headers are larger than 16 KB. */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "headers_too_large";
                    };
                };
            };
            /** @description `internal_error`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "internal_error";
                    };
                };
            };
            /** @description `deploying`: This server is shutting down or starting: try again in 30 seconds. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "deploying";
                    };
                };
            };
        };
    };
    deleteDocument: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace_id: string;
                doc_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /**
             * @description `malformed_request`: The request is not valid HTTP, or its address is not a valid one.
             *
             *     `invalid_json`: The body is not valid JSON.
             *
             *     `invalid_workspace_id`: workspace_id is malformed: it looks like ws_… or wt_<id>_<suffix>.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "malformed_request" | "invalid_json" | "invalid_workspace_id";
                    };
                };
            };
            /**
             * @description `missing_auth`: Send the header Authorization: Bearer <API_KEY>.
             *
             *     `malformed_auth`: The Authorization header must be exactly: Bearer <API_KEY>.
             *
             *     `invalid_key`: This key was revoked or never existed.
             */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "missing_auth" | "malformed_auth" | "invalid_key";
                    };
                };
            };
            /**
             * @description `workspace_not_found`: There is no such workspace.
             *
             *     `document_not_found`: There is no such document.
             */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "workspace_not_found" | "document_not_found";
                    };
                };
            };
            /** @description `receive_timeout`: The request did not arrive in time. */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "receive_timeout";
                    };
                };
            };
            /** @description `payload_too_large`: The body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "payload_too_large";
                    };
                };
            };
            /** @description `unsupported_media_type`: The content type is not supported here. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "unsupported_media_type";
                    };
                };
            };
            /** @description `headers_too_large`: The headers are larger than 16 KB. */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "headers_too_large";
                    };
                };
            };
            /** @description `internal_error`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "internal_error";
                    };
                };
            };
            /** @description `deploying`: This server is shutting down or starting: try again in 30 seconds. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "deploying";
                    };
                };
            };
        };
    };
    search: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "query": "delivery to Germany",
                 *       "top_k": 3
                 *     }
                 */
                "application/json": {
                    query: string;
                    /** @default 5 */
                    top_k?: number | null;
                    /** @default [] */
                    audience?: string[] | null;
                    document_ids?: string[] | null;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        results: components["schemas"]["SearchResult"][];
                    };
                };
            };
            /**
             * @description `malformed_request`: The request is not valid HTTP, or its address is not a valid one.
             *
             *     `invalid_json`: The body is not valid JSON.
             *
             *     `invalid_workspace_id`: workspace_id is malformed: it looks like ws_… or wt_<id>_<suffix>.
             *
             *     `missing_field`: A required field is missing.
             *
             *     `message_too_long`: query is longer than 4,000 characters.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "malformed_request" | "invalid_json" | "invalid_workspace_id" | "missing_field" | "message_too_long";
                    };
                };
            };
            /**
             * @description `missing_auth`: Send the header Authorization: Bearer <API_KEY>.
             *
             *     `malformed_auth`: The Authorization header must be exactly: Bearer <API_KEY>.
             *
             *     `invalid_key`: This key was revoked or never existed.
             */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "missing_auth" | "malformed_auth" | "invalid_key";
                    };
                };
            };
            /**
             * @description `workspace_not_found`: There is no such workspace.
             *
             *     `document_not_found`: There is no such document.
             */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "workspace_not_found" | "document_not_found";
                    };
                };
            };
            /** @description `receive_timeout`: The request did not arrive in time. */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "receive_timeout";
                    };
                };
            };
            /** @description `payload_too_large`: The body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "payload_too_large";
                    };
                };
            };
            /** @description `unsupported_media_type`: The content type is not supported here. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "unsupported_media_type";
                    };
                };
            };
            /**
             * @description `invalid_body`: The body must be a JSON object.
             *
             *     `invalid_query`: query must be a string.
             *
             *     `invalid_top_k`: top_k must be an integer from 1 to 20.
             *
             *     `invalid_audience`: audience must be an array of the workspace's audience tags.
             *
             *     `invalid_document_ids`: document_ids must be an array of at most 100 document ids.
             */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "invalid_body" | "invalid_query" | "invalid_top_k" | "invalid_audience" | "invalid_document_ids";
                    };
                };
            };
            /** @description `headers_too_large`: The headers are larger than 16 KB. */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "headers_too_large";
                    };
                };
            };
            /** @description `internal_error`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "internal_error";
                    };
                };
            };
            /** @description `deploying`: This server is shutting down or starting: try again in 30 seconds. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "deploying";
                    };
                };
            };
        };
    };
    getAttachment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace_id: string;
                conv_id: string;
                message_id: string;
                /** @description From 0, in the order of `attachments` of the message. */
                number: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            /**
             * @description `malformed_request`: The request is not valid HTTP, or its address is not a valid one.
             *
             *     `invalid_workspace_id`: workspace_id is malformed: it looks like ws_… or wt_<id>_<suffix>.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "malformed_request" | "invalid_workspace_id";
                    };
                };
            };
            /**
             * @description `missing_auth`: Send the header Authorization: Bearer <API_KEY>.
             *
             *     `malformed_auth`: The Authorization header must be exactly: Bearer <API_KEY>.
             *
             *     `invalid_key`: This key was revoked or never existed.
             */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "missing_auth" | "malformed_auth" | "invalid_key";
                    };
                };
            };
            /**
             * @description `workspace_not_found`: There is no such workspace.
             *
             *     `conversation_not_found`: There is no such conversation.
             *
             *     `attachment_not_found`: There is no such file, or its platform does not have it any more.
             */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "workspace_not_found" | "conversation_not_found" | "attachment_not_found";
                    };
                };
            };
            /** @description `receive_timeout`: The request did not arrive in time. */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "receive_timeout";
                    };
                };
            };
            /** @description `headers_too_large`: The headers are larger than 16 KB. */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "headers_too_large";
                    };
                };
            };
            /** @description `internal_error`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "internal_error";
                    };
                };
            };
            /** @description `attachment_unavailable`: The platform of the channel did not hand the file out. */
            502: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "attachment_unavailable";
                    };
                };
            };
            /** @description `deploying`: This server is shutting down or starting: try again in 30 seconds. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "deploying";
                    };
                };
            };
        };
    };
    listAuditLog: {
        parameters: {
            query?: {
                limit?: number;
                /** @description next_cursor of the page before. */
                cursor?: string;
            };
            header?: never;
            path: {
                workspace_id: string;
                conv_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        audit_log: components["schemas"]["AuditEntry"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
            /**
             * @description `malformed_request`: The request is not valid HTTP, or its address is not a valid one.
             *
             *     `invalid_workspace_id`: workspace_id is malformed: it looks like ws_… or wt_<id>_<suffix>.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "malformed_request" | "invalid_workspace_id";
                    };
                };
            };
            /**
             * @description `missing_auth`: Send the header Authorization: Bearer <API_KEY>.
             *
             *     `malformed_auth`: The Authorization header must be exactly: Bearer <API_KEY>.
             *
             *     `invalid_key`: This key was revoked or never existed.
             */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "missing_auth" | "malformed_auth" | "invalid_key";
                    };
                };
            };
            /**
             * @description `workspace_not_found`: There is no such workspace.
             *
             *     `conversation_not_found`: There is no such conversation.
             */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "workspace_not_found" | "conversation_not_found";
                    };
                };
            };
            /** @description `receive_timeout`: The request did not arrive in time. */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "receive_timeout";
                    };
                };
            };
            /**
             * @description `invalid_limit`: limit must be an integer from 1 to 100.
             *
             *     `invalid_cursor`: cursor must be a next_cursor of this very list.
             */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "invalid_limit" | "invalid_cursor";
                    };
                };
            };
            /** @description `headers_too_large`: The headers are larger than 16 KB. */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "headers_too_large";
                    };
                };
            };
            /** @description `internal_error`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "internal_error";
                    };
                };
            };
            /** @description `deploying`: This server is shutting down or starting: try again in 30 seconds. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "deploying";
                    };
                };
            };
        };
    };
    replyAsAgent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace_id: string;
                conv_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "content": "Your parcel is on its way.",
                 *       "author_email": "ann@example.com"
                 *     }
                 */
                "application/json": {
                    /** @description Markdown. */
                    content: string;
                    /**
                     * Format: email
                     * @description The agent who says it.
                     */
                    author_email: string;
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentReply"];
                };
            };
            /**
             * @description `malformed_request`: The request is not valid HTTP, or its address is not a valid one.
             *
             *     `invalid_json`: The body is not valid JSON.
             *
             *     `invalid_workspace_id`: workspace_id is malformed: it looks like ws_… or wt_<id>_<suffix>.
             *
             *     `missing_field`: A required field is missing.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "malformed_request" | "invalid_json" | "invalid_workspace_id" | "missing_field";
                    };
                };
            };
            /**
             * @description `missing_auth`: Send the header Authorization: Bearer <API_KEY>.
             *
             *     `malformed_auth`: The Authorization header must be exactly: Bearer <API_KEY>.
             *
             *     `invalid_key`: This key was revoked or never existed.
             */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "missing_auth" | "malformed_auth" | "invalid_key";
                    };
                };
            };
            /**
             * @description `workspace_not_found`: There is no such workspace.
             *
             *     `conversation_not_found`: There is no such conversation.
             */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "workspace_not_found" | "conversation_not_found";
                    };
                };
            };
            /** @description `receive_timeout`: The request did not arrive in time. */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "receive_timeout";
                    };
                };
            };
            /**
             * @description `channel_unreachable`: Nothing can be sent there: the channel is switched off, or the visitor has blocked it or asked us not to write.
             *
             *     `channel_window_closed`: The visitor wrote too long ago: until he writes again, his platform takes nothing for him.
             */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "channel_unreachable" | "channel_window_closed";
                    };
                };
            };
            /** @description `payload_too_large`: The body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "payload_too_large";
                    };
                };
            };
            /** @description `unsupported_media_type`: The content type is not supported here. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "unsupported_media_type";
                    };
                };
            };
            /**
             * @description `invalid_body`: The body must be a JSON object.
             *
             *     `invalid_content`: content must be a string that is neither empty nor too long.
             *
             *     `invalid_author_email`: author_email must be an e-mail address.
             */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "invalid_body" | "invalid_content" | "invalid_author_email";
                    };
                };
            };
            /** @description `headers_too_large`: The headers are larger than 16 KB. */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "headers_too_large";
                    };
                };
            };
            /** @description `internal_error`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "internal_error";
                    };
                };
            };
            /** @description `deploying`: This server is shutting down or starting: try again in 30 seconds. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "deploying";
                    };
                };
            };
        };
    };
    endSessions: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace_id: string;
                conv_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description How many there were. */
                        ended: number;
                    };
                };
            };
            /**
             * @description `malformed_request`: The request is not valid HTTP, or its address is not a valid one.
             *
             *     `invalid_json`: The body is not valid JSON.
             *
             *     `invalid_workspace_id`: workspace_id is malformed: it looks like ws_… or wt_<id>_<suffix>.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "malformed_request" | "invalid_json" | "invalid_workspace_id";
                    };
                };
            };
            /**
             * @description `missing_auth`: Send the header Authorization: Bearer <API_KEY>.
             *
             *     `malformed_auth`: The Authorization header must be exactly: Bearer <API_KEY>.
             *
             *     `invalid_key`: This key was revoked or never existed.
             */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "missing_auth" | "malformed_auth" | "invalid_key";
                    };
                };
            };
            /**
             * @description `workspace_not_found`: There is no such workspace.
             *
             *     `conversation_not_found`: There is no such conversation.
             */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "workspace_not_found" | "conversation_not_found";
                    };
                };
            };
            /** @description `receive_timeout`: The request did not arrive in time. */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "receive_timeout";
                    };
                };
            };
            /** @description `payload_too_large`: The body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "payload_too_large";
                    };
                };
            };
            /** @description `unsupported_media_type`: The content type is not supported here. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "unsupported_media_type";
                    };
                };
            };
            /** @description `headers_too_large`: The headers are larger than 16 KB. */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "headers_too_large";
                    };
                };
            };
            /** @description `internal_error`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "internal_error";
                    };
                };
            };
            /** @description `deploying`: This server is shutting down or starting: try again in 30 seconds. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "deploying";
                    };
                };
            };
        };
    };
    listWebhooks: {
        parameters: {
            query?: {
                limit?: number;
                /** @description next_cursor of the page before. */
                cursor?: string;
            };
            header?: never;
            path: {
                workspace_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        webhooks: components["schemas"]["Webhook"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
            /**
             * @description `malformed_request`: The request is not valid HTTP, or its address is not a valid one.
             *
             *     `invalid_workspace_id`: workspace_id is malformed: it looks like ws_… or wt_<id>_<suffix>.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "malformed_request" | "invalid_workspace_id";
                    };
                };
            };
            /**
             * @description `missing_auth`: Send the header Authorization: Bearer <API_KEY>.
             *
             *     `malformed_auth`: The Authorization header must be exactly: Bearer <API_KEY>.
             *
             *     `invalid_key`: This key was revoked or never existed.
             */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "missing_auth" | "malformed_auth" | "invalid_key";
                    };
                };
            };
            /** @description `workspace_not_found`: There is no such workspace. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "workspace_not_found";
                    };
                };
            };
            /** @description `receive_timeout`: The request did not arrive in time. */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "receive_timeout";
                    };
                };
            };
            /**
             * @description `invalid_limit`: limit must be an integer from 1 to 100.
             *
             *     `invalid_cursor`: cursor must be a next_cursor of this very list.
             */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "invalid_limit" | "invalid_cursor";
                    };
                };
            };
            /** @description `headers_too_large`: The headers are larger than 16 KB. */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "headers_too_large";
                    };
                };
            };
            /** @description `internal_error`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "internal_error";
                    };
                };
            };
            /** @description `deploying`: This server is shutting down or starting: try again in 30 seconds. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "deploying";
                    };
                };
            };
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "url": "https://example.com/hooks",
                 *       "events": [
                 *         "answer.low_confidence"
                 *       ]
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: uri
                     * @description Where events are posted to, by http or https, without a user name.
                     */
                    url: string;
                    events: ("conversation.created" | "message.created" | "answer.low_confidence" | "message.feedback" | "lead.captured" | "conversation.escalated" | "conversation.status_changed" | "document.indexed" | "document.failed" | "sla.at_risk" | "sla.breached")[];
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        workspace_id: string;
                        url: string;
                        events: string[];
                        enabled: boolean;
                        disabled_at: string | null;
                        /** @description Why nothing is sent to it any more. */
                        disabled_reason: string | null;
                        /** Format: date-time */
                        created_at: string;
                        /** @description What events are signed with: shown here and nowhere else. */
                        secret: string;
                    };
                };
            };
            /**
             * @description `malformed_request`: The request is not valid HTTP, or its address is not a valid one.
             *
             *     `invalid_json`: The body is not valid JSON.
             *
             *     `invalid_workspace_id`: workspace_id is malformed: it looks like ws_… or wt_<id>_<suffix>.
             *
             *     `missing_field`: A required field is missing.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "malformed_request" | "invalid_json" | "invalid_workspace_id" | "missing_field";
                    };
                };
            };
            /**
             * @description `missing_auth`: Send the header Authorization: Bearer <API_KEY>.
             *
             *     `malformed_auth`: The Authorization header must be exactly: Bearer <API_KEY>.
             *
             *     `invalid_key`: This key was revoked or never existed.
             */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "missing_auth" | "malformed_auth" | "invalid_key";
                    };
                };
            };
            /** @description `workspace_not_found`: There is no such workspace. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "workspace_not_found";
                    };
                };
            };
            /** @description `receive_timeout`: The request did not arrive in time. */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "receive_timeout";
                    };
                };
            };
            /** @description `payload_too_large`: The body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "payload_too_large";
                    };
                };
            };
            /** @description `unsupported_media_type`: The content type is not supported here. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "unsupported_media_type";
                    };
                };
            };
            /**
             * @description `invalid_body`: The body must be a JSON object.
             *
             *     `invalid_url`: url must be an http(s) address of at most 2,000 characters.
             *
             *     `invalid_events`: events must be an array of one or more of the known events.
             */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "invalid_body" | "invalid_url" | "invalid_events";
                    };
                };
            };
            /** @description `headers_too_large`: The headers are larger than 16 KB. */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "headers_too_large";
                    };
                };
            };
            /** @description `internal_error`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "internal_error";
                    };
                };
            };
            /** @description `deploying`: This server is shutting down or starting: try again in 30 seconds. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "deploying";
                    };
                };
            };
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace_id: string;
                hook_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /**
             * @description `malformed_request`: The request is not valid HTTP, or its address is not a valid one.
             *
             *     `invalid_json`: The body is not valid JSON.
             *
             *     `invalid_workspace_id`: workspace_id is malformed: it looks like ws_… or wt_<id>_<suffix>.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "malformed_request" | "invalid_json" | "invalid_workspace_id";
                    };
                };
            };
            /**
             * @description `missing_auth`: Send the header Authorization: Bearer <API_KEY>.
             *
             *     `malformed_auth`: The Authorization header must be exactly: Bearer <API_KEY>.
             *
             *     `invalid_key`: This key was revoked or never existed.
             */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "missing_auth" | "malformed_auth" | "invalid_key";
                    };
                };
            };
            /**
             * @description `workspace_not_found`: There is no such workspace.
             *
             *     `webhook_not_found`: There is no such webhook.
             */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "workspace_not_found" | "webhook_not_found";
                    };
                };
            };
            /** @description `receive_timeout`: The request did not arrive in time. */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "receive_timeout";
                    };
                };
            };
            /** @description `payload_too_large`: The body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "payload_too_large";
                    };
                };
            };
            /** @description `unsupported_media_type`: The content type is not supported here. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "unsupported_media_type";
                    };
                };
            };
            /** @description `headers_too_large`: The headers are larger than 16 KB. */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "headers_too_large";
                    };
                };
            };
            /** @description `internal_error`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "internal_error";
                    };
                };
            };
            /** @description `deploying`: This server is shutting down or starting: try again in 30 seconds. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "deploying";
                    };
                };
            };
        };
    };
    updateWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace_id: string;
                hook_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    enabled: boolean;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            /**
             * @description `malformed_request`: The request is not valid HTTP, or its address is not a valid one.
             *
             *     `invalid_json`: The body is not valid JSON.
             *
             *     `invalid_workspace_id`: workspace_id is malformed: it looks like ws_… or wt_<id>_<suffix>.
             *
             *     `missing_field`: A required field is missing.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "malformed_request" | "invalid_json" | "invalid_workspace_id" | "missing_field";
                    };
                };
            };
            /**
             * @description `missing_auth`: Send the header Authorization: Bearer <API_KEY>.
             *
             *     `malformed_auth`: The Authorization header must be exactly: Bearer <API_KEY>.
             *
             *     `invalid_key`: This key was revoked or never existed.
             */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "missing_auth" | "malformed_auth" | "invalid_key";
                    };
                };
            };
            /**
             * @description `workspace_not_found`: There is no such workspace.
             *
             *     `webhook_not_found`: There is no such webhook.
             */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "workspace_not_found" | "webhook_not_found";
                    };
                };
            };
            /** @description `receive_timeout`: The request did not arrive in time. */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "receive_timeout";
                    };
                };
            };
            /** @description `payload_too_large`: The body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "payload_too_large";
                    };
                };
            };
            /** @description `unsupported_media_type`: The content type is not supported here. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "unsupported_media_type";
                    };
                };
            };
            /**
             * @description `invalid_body`: The body must be a JSON object.
             *
             *     `invalid_enabled`: enabled must be true or false.
             */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "invalid_body" | "invalid_enabled";
                    };
                };
            };
            /** @description `headers_too_large`: The headers are larger than 16 KB. */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "headers_too_large";
                    };
                };
            };
            /** @description `internal_error`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "internal_error";
                    };
                };
            };
            /** @description `deploying`: This server is shutting down or starting: try again in 30 seconds. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "deploying";
                    };
                };
            };
        };
    };
    listDeliveries: {
        parameters: {
            query?: {
                limit?: number;
                /** @description next_cursor of the page before. */
                cursor?: string;
            };
            header?: never;
            path: {
                workspace_id: string;
                hook_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        deliveries: components["schemas"]["Delivery"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
            /**
             * @description `malformed_request`: The request is not valid HTTP, or its address is not a valid one.
             *
             *     `invalid_workspace_id`: workspace_id is malformed: it looks like ws_… or wt_<id>_<suffix>.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "malformed_request" | "invalid_workspace_id";
                    };
                };
            };
            /**
             * @description `missing_auth`: Send the header Authorization: Bearer <API_KEY>.
             *
             *     `malformed_auth`: The Authorization header must be exactly: Bearer <API_KEY>.
             *
             *     `invalid_key`: This key was revoked or never existed.
             */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "missing_auth" | "malformed_auth" | "invalid_key";
                    };
                };
            };
            /**
             * @description `workspace_not_found`: There is no such workspace.
             *
             *     `webhook_not_found`: There is no such webhook.
             */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "workspace_not_found" | "webhook_not_found";
                    };
                };
            };
            /** @description `receive_timeout`: The request did not arrive in time. */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "receive_timeout";
                    };
                };
            };
            /**
             * @description `invalid_limit`: limit must be an integer from 1 to 100.
             *
             *     `invalid_cursor`: cursor must be a next_cursor of this very list.
             */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "invalid_limit" | "invalid_cursor";
                    };
                };
            };
            /** @description `headers_too_large`: The headers are larger than 16 KB. */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "headers_too_large";
                    };
                };
            };
            /** @description `internal_error`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "internal_error";
                    };
                };
            };
            /** @description `deploying`: This server is shutting down or starting: try again in 30 seconds. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "deploying";
                    };
                };
            };
        };
    };
    replayDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace_id: string;
                hook_id: string;
                delivery_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It will be sent. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Delivery"];
                };
            };
            /**
             * @description `malformed_request`: The request is not valid HTTP, or its address is not a valid one.
             *
             *     `invalid_json`: The body is not valid JSON.
             *
             *     `invalid_workspace_id`: workspace_id is malformed: it looks like ws_… or wt_<id>_<suffix>.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "malformed_request" | "invalid_json" | "invalid_workspace_id";
                    };
                };
            };
            /**
             * @description `missing_auth`: Send the header Authorization: Bearer <API_KEY>.
             *
             *     `malformed_auth`: The Authorization header must be exactly: Bearer <API_KEY>.
             *
             *     `invalid_key`: This key was revoked or never existed.
             */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "missing_auth" | "malformed_auth" | "invalid_key";
                    };
                };
            };
            /**
             * @description `workspace_not_found`: There is no such workspace.
             *
             *     `webhook_not_found`: There is no such webhook.
             *
             *     `delivery_not_found`: There is no such delivery of this webhook.
             */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "workspace_not_found" | "webhook_not_found" | "delivery_not_found";
                    };
                };
            };
            /** @description `receive_timeout`: The request did not arrive in time. */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "receive_timeout";
                    };
                };
            };
            /** @description `webhook_disabled`: This webhook is disabled: enable it first. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "webhook_disabled";
                    };
                };
            };
            /** @description `payload_too_large`: The body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "payload_too_large";
                    };
                };
            };
            /** @description `unsupported_media_type`: The content type is not supported here. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "unsupported_media_type";
                    };
                };
            };
            /** @description `headers_too_large`: The headers are larger than 16 KB. */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "headers_too_large";
                    };
                };
            };
            /** @description `internal_error`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "internal_error";
                    };
                };
            };
            /** @description `deploying`: This server is shutting down or starting: try again in 30 seconds. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "deploying";
                    };
                };
            };
        };
    };
    listSkills: {
        parameters: {
            query?: {
                limit?: number;
                /** @description next_cursor of the page before. */
                cursor?: string;
            };
            header?: never;
            path: {
                workspace_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        skills: components["schemas"]["Skill"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
            /**
             * @description `malformed_request`: The request is not valid HTTP, or its address is not a valid one.
             *
             *     `invalid_workspace_id`: workspace_id is malformed: it looks like ws_… or wt_<id>_<suffix>.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "malformed_request" | "invalid_workspace_id";
                    };
                };
            };
            /**
             * @description `missing_auth`: Send the header Authorization: Bearer <API_KEY>.
             *
             *     `malformed_auth`: The Authorization header must be exactly: Bearer <API_KEY>.
             *
             *     `invalid_key`: This key was revoked or never existed.
             */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "missing_auth" | "malformed_auth" | "invalid_key";
                    };
                };
            };
            /** @description `workspace_not_found`: There is no such workspace. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "workspace_not_found";
                    };
                };
            };
            /** @description `receive_timeout`: The request did not arrive in time. */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "receive_timeout";
                    };
                };
            };
            /**
             * @description `invalid_limit`: limit must be an integer from 1 to 100.
             *
             *     `invalid_cursor`: cursor must be a next_cursor of this very list.
             */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "invalid_limit" | "invalid_cursor";
                    };
                };
            };
            /** @description `headers_too_large`: The headers are larger than 16 KB. */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "headers_too_large";
                    };
                };
            };
            /** @description `internal_error`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "internal_error";
                    };
                };
            };
            /** @description `deploying`: This server is shutting down or starting: try again in 30 seconds. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "deploying";
                    };
                };
            };
        };
    };
    createSkill: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "order_status",
                 *       "description": "Looks up where an order is. Use it when a visitor asks about an order of theirs.",
                 *       "parameters": {
                 *         "type": "object",
                 *         "properties": {
                 *           "order_id": {
                 *             "type": "string",
                 *             "description": "The number on the confirmation"
                 *           }
                 *         },
                 *         "required": [
                 *           "order_id"
                 *         ]
                 *       },
                 *       "url": "https://example.com/skills/order-status"
                 *     }
                 */
                "application/json": {
                    /** @description Tells a language model when to use it. */
                    description: string;
                    /** @description Its arguments: a JSON Schema (2020-12) of an object, at most 16 KB, without foreign references. */
                    parameters: {
                        [key: string]: unknown;
                    };
                    /**
                     * Format: uri
                     * @description Where its calls are posted to, by https, without a user name.
                     */
                    url: string;
                    /** @default 10 */
                    timeout_seconds?: number | null;
                    /**
                     * @description verified: only for visitors whose identity was proven.
                     * @default everyone
                     * @enum {string|null}
                     */
                    runs_for?: "everyone" | "verified" | null;
                    /** @default true */
                    enabled?: boolean | null;
                    /** @description What models call it by: no two skills of a workspace have the same. */
                    name: string;
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        workspace_id: string;
                        name: string;
                        description: string;
                        parameters: {
                            [key: string]: unknown;
                        };
                        url: string;
                        timeout_seconds: number;
                        /** @enum {string} */
                        runs_for: "everyone" | "verified";
                        enabled: boolean;
                        /** Format: date-time */
                        created_at: string;
                        /** @description What calls are signed with: shown here and nowhere else. */
                        secret: string;
                    };
                };
            };
            /**
             * @description `malformed_request`: The request is not valid HTTP, or its address is not a valid one.
             *
             *     `invalid_json`: The body is not valid JSON.
             *
             *     `invalid_workspace_id`: workspace_id is malformed: it looks like ws_… or wt_<id>_<suffix>.
             *
             *     `missing_field`: A required field is missing.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "malformed_request" | "invalid_json" | "invalid_workspace_id" | "missing_field";
                    };
                };
            };
            /**
             * @description `missing_auth`: Send the header Authorization: Bearer <API_KEY>.
             *
             *     `malformed_auth`: The Authorization header must be exactly: Bearer <API_KEY>.
             *
             *     `invalid_key`: This key was revoked or never existed.
             */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "missing_auth" | "malformed_auth" | "invalid_key";
                    };
                };
            };
            /** @description `workspace_not_found`: There is no such workspace. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "workspace_not_found";
                    };
                };
            };
            /** @description `receive_timeout`: The request did not arrive in time. */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "receive_timeout";
                    };
                };
            };
            /**
             * @description `skill_name_taken`: This workspace has an HTTP skill of that name.
             *
             *     `too_many_skills`: This workspace has 20 HTTP skills, the most that it can have: delete one first.
             */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "skill_name_taken" | "too_many_skills";
                    };
                };
            };
            /** @description `payload_too_large`: The body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "payload_too_large";
                    };
                };
            };
            /** @description `unsupported_media_type`: The content type is not supported here. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "unsupported_media_type";
                    };
                };
            };
            /**
             * @description `invalid_body`: The body must be a JSON object.
             *
             *     `invalid_description`: description must be a string of 1 to 1,000 characters.
             *
             *     `invalid_parameters`: parameters must be a JSON Schema (2020-12) of an object, of at most 16 KB.
             *
             *     `invalid_url`: url must be an http(s) address of at most 2,000 characters.
             *
             *     `invalid_timeout_seconds`: timeout_seconds must be an integer from 1 to 20.
             *
             *     `invalid_runs_for`: runs_for must be "everyone" or "verified".
             *
             *     `invalid_enabled`: enabled must be true or false.
             *
             *     `invalid_name`: name must be a string of 1 to 200 characters.
             */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "invalid_body" | "invalid_description" | "invalid_parameters" | "invalid_url" | "invalid_timeout_seconds" | "invalid_runs_for" | "invalid_enabled" | "invalid_name";
                    };
                };
            };
            /** @description `headers_too_large`: The headers are larger than 16 KB. */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "headers_too_large";
                    };
                };
            };
            /** @description `internal_error`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "internal_error";
                    };
                };
            };
            /** @description `deploying`: This server is shutting down or starting: try again in 30 seconds. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "deploying";
                    };
                };
            };
        };
    };
    getSkill: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace_id: string;
                skill_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Skill"];
                };
            };
            /**
             * @description `malformed_request`: The request is not valid HTTP, or its address is not a valid one.
             *
             *     `invalid_workspace_id`: workspace_id is malformed: it looks like ws_… or wt_<id>_<suffix>.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "malformed_request" | "invalid_workspace_id";
                    };
                };
            };
            /**
             * @description `missing_auth`: Send the header Authorization: Bearer <API_KEY>.
             *
             *     `malformed_auth`: The Authorization header must be exactly: Bearer <API_KEY>.
             *
             *     `invalid_key`: This key was revoked or never existed.
             */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "missing_auth" | "malformed_auth" | "invalid_key";
                    };
                };
            };
            /**
             * @description `workspace_not_found`: There is no such workspace.
             *
             *     `skill_not_found`: There is no such HTTP skill.
             */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "workspace_not_found" | "skill_not_found";
                    };
                };
            };
            /** @description `receive_timeout`: The request did not arrive in time. */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "receive_timeout";
                    };
                };
            };
            /** @description `headers_too_large`: The headers are larger than 16 KB. */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "headers_too_large";
                    };
                };
            };
            /** @description `internal_error`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "internal_error";
                    };
                };
            };
            /** @description `deploying`: This server is shutting down or starting: try again in 30 seconds. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "deploying";
                    };
                };
            };
        };
    };
    deleteSkill: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace_id: string;
                skill_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /**
             * @description `malformed_request`: The request is not valid HTTP, or its address is not a valid one.
             *
             *     `invalid_json`: The body is not valid JSON.
             *
             *     `invalid_workspace_id`: workspace_id is malformed: it looks like ws_… or wt_<id>_<suffix>.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "malformed_request" | "invalid_json" | "invalid_workspace_id";
                    };
                };
            };
            /**
             * @description `missing_auth`: Send the header Authorization: Bearer <API_KEY>.
             *
             *     `malformed_auth`: The Authorization header must be exactly: Bearer <API_KEY>.
             *
             *     `invalid_key`: This key was revoked or never existed.
             */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "missing_auth" | "malformed_auth" | "invalid_key";
                    };
                };
            };
            /**
             * @description `workspace_not_found`: There is no such workspace.
             *
             *     `skill_not_found`: There is no such HTTP skill.
             */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "workspace_not_found" | "skill_not_found";
                    };
                };
            };
            /** @description `receive_timeout`: The request did not arrive in time. */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "receive_timeout";
                    };
                };
            };
            /** @description `payload_too_large`: The body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "payload_too_large";
                    };
                };
            };
            /** @description `unsupported_media_type`: The content type is not supported here. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "unsupported_media_type";
                    };
                };
            };
            /** @description `headers_too_large`: The headers are larger than 16 KB. */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "headers_too_large";
                    };
                };
            };
            /** @description `internal_error`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "internal_error";
                    };
                };
            };
            /** @description `deploying`: This server is shutting down or starting: try again in 30 seconds. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "deploying";
                    };
                };
            };
        };
    };
    updateSkill: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace_id: string;
                skill_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Tells a language model when to use it. */
                    description?: string | null;
                    /** @description Its arguments: a JSON Schema (2020-12) of an object, at most 16 KB, without foreign references. */
                    parameters?: {
                        [key: string]: unknown;
                    } | null;
                    /**
                     * Format: uri
                     * @description Where its calls are posted to, by https, without a user name.
                     */
                    url?: string | null;
                    timeout_seconds?: number | null;
                    /**
                     * @description verified: only for visitors whose identity was proven.
                     * @enum {string|null}
                     */
                    runs_for?: "everyone" | "verified" | null;
                    enabled?: boolean | null;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Skill"];
                };
            };
            /**
             * @description `malformed_request`: The request is not valid HTTP, or its address is not a valid one.
             *
             *     `invalid_json`: The body is not valid JSON.
             *
             *     `invalid_workspace_id`: workspace_id is malformed: it looks like ws_… or wt_<id>_<suffix>.
             *
             *     `missing_field`: A required field is missing.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "malformed_request" | "invalid_json" | "invalid_workspace_id" | "missing_field";
                    };
                };
            };
            /**
             * @description `missing_auth`: Send the header Authorization: Bearer <API_KEY>.
             *
             *     `malformed_auth`: The Authorization header must be exactly: Bearer <API_KEY>.
             *
             *     `invalid_key`: This key was revoked or never existed.
             */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "missing_auth" | "malformed_auth" | "invalid_key";
                    };
                };
            };
            /**
             * @description `workspace_not_found`: There is no such workspace.
             *
             *     `skill_not_found`: There is no such HTTP skill.
             */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "workspace_not_found" | "skill_not_found";
                    };
                };
            };
            /** @description `receive_timeout`: The request did not arrive in time. */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "receive_timeout";
                    };
                };
            };
            /** @description `payload_too_large`: The body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "payload_too_large";
                    };
                };
            };
            /** @description `unsupported_media_type`: The content type is not supported here. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "unsupported_media_type";
                    };
                };
            };
            /**
             * @description `invalid_body`: The body must be a JSON object.
             *
             *     `invalid_description`: description must be a string of 1 to 1,000 characters.
             *
             *     `invalid_parameters`: parameters must be a JSON Schema (2020-12) of an object, of at most 16 KB.
             *
             *     `invalid_url`: url must be an http(s) address of at most 2,000 characters.
             *
             *     `invalid_timeout_seconds`: timeout_seconds must be an integer from 1 to 20.
             *
             *     `invalid_runs_for`: runs_for must be "everyone" or "verified".
             *
             *     `invalid_enabled`: enabled must be true or false.
             */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "invalid_body" | "invalid_description" | "invalid_parameters" | "invalid_url" | "invalid_timeout_seconds" | "invalid_runs_for" | "invalid_enabled";
                    };
                };
            };
            /** @description `headers_too_large`: The headers are larger than 16 KB. */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "headers_too_large";
                    };
                };
            };
            /** @description `internal_error`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "internal_error";
                    };
                };
            };
            /** @description `deploying`: This server is shutting down or starting: try again in 30 seconds. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "deploying";
                    };
                };
            };
        };
    };
    testSkill: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace_id: string;
                skill_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "arguments": {
                 *         "order_id": "A-1024"
                 *       }
                 *     }
                 */
                "application/json": {
                    arguments: {
                        [key: string]: unknown;
                    };
                    /** @description Calls it as for this visitor, as if proven; for nobody in particular when absent. */
                    user_id?: string | null;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description What a visitor would be told as it is. */
                        says: string | null;
                        /** @description What an answer would be written from. */
                        finding: string | null;
                        /** @description What its server answered; null where it did not. */
                        status: number | null;
                        /** @description Why it failed. */
                        error: string | null;
                        duration_ms: number;
                    };
                };
            };
            /**
             * @description `malformed_request`: The request is not valid HTTP, or its address is not a valid one.
             *
             *     `invalid_json`: The body is not valid JSON.
             *
             *     `invalid_workspace_id`: workspace_id is malformed: it looks like ws_… or wt_<id>_<suffix>.
             *
             *     `missing_field`: A required field is missing.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "malformed_request" | "invalid_json" | "invalid_workspace_id" | "missing_field";
                    };
                };
            };
            /**
             * @description `missing_auth`: Send the header Authorization: Bearer <API_KEY>.
             *
             *     `malformed_auth`: The Authorization header must be exactly: Bearer <API_KEY>.
             *
             *     `invalid_key`: This key was revoked or never existed.
             */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "missing_auth" | "malformed_auth" | "invalid_key";
                    };
                };
            };
            /**
             * @description `workspace_not_found`: There is no such workspace.
             *
             *     `skill_not_found`: There is no such HTTP skill.
             */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "workspace_not_found" | "skill_not_found";
                    };
                };
            };
            /** @description `receive_timeout`: The request did not arrive in time. */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "receive_timeout";
                    };
                };
            };
            /** @description `payload_too_large`: The body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "payload_too_large";
                    };
                };
            };
            /** @description `unsupported_media_type`: The content type is not supported here. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "unsupported_media_type";
                    };
                };
            };
            /**
             * @description `invalid_body`: The body must be a JSON object.
             *
             *     `invalid_arguments`: arguments must be an object.
             *
             *     `invalid_user_id`: user_id must be a string of 1 to 200 characters.
             */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "invalid_body" | "invalid_arguments" | "invalid_user_id";
                    };
                };
            };
            /** @description `headers_too_large`: The headers are larger than 16 KB. */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "headers_too_large";
                    };
                };
            };
            /** @description `internal_error`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "internal_error";
                    };
                };
            };
            /** @description `deploying`: This server is shutting down or starting: try again in 30 seconds. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "deploying";
                    };
                };
            };
        };
    };
    listChannels: {
        parameters: {
            query?: {
                limit?: number;
                /** @description next_cursor of the page before. */
                cursor?: string;
            };
            header?: never;
            path: {
                workspace_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        channels: components["schemas"]["Channel"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
            /**
             * @description `malformed_request`: The request is not valid HTTP, or its address is not a valid one.
             *
             *     `invalid_workspace_id`: workspace_id is malformed: it looks like ws_… or wt_<id>_<suffix>.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "malformed_request" | "invalid_workspace_id";
                    };
                };
            };
            /**
             * @description `missing_auth`: Send the header Authorization: Bearer <API_KEY>.
             *
             *     `malformed_auth`: The Authorization header must be exactly: Bearer <API_KEY>.
             *
             *     `invalid_key`: This key was revoked or never existed.
             */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "missing_auth" | "malformed_auth" | "invalid_key";
                    };
                };
            };
            /** @description `workspace_not_found`: There is no such workspace. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "workspace_not_found";
                    };
                };
            };
            /** @description `receive_timeout`: The request did not arrive in time. */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "receive_timeout";
                    };
                };
            };
            /**
             * @description `invalid_limit`: limit must be an integer from 1 to 100.
             *
             *     `invalid_cursor`: cursor must be a next_cursor of this very list.
             */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "invalid_limit" | "invalid_cursor";
                    };
                };
            };
            /** @description `headers_too_large`: The headers are larger than 16 KB. */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "headers_too_large";
                    };
                };
            };
            /** @description `internal_error`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "internal_error";
                    };
                };
            };
            /** @description `deploying`: This server is shutting down or starting: try again in 30 seconds. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "deploying";
                    };
                };
            };
        };
    };
    createChannel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "channel": "telegram",
                 *       "name": "Help bot",
                 *       "credentials": {
                 *         "bot_token": "123456:ABC-DEF"
                 *       },
                 *       "settings": {
                 *         "mode": "polling"
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @description Its kind, such as telegram. */
                    channel: string;
                    /** @description Absent: that of its kind. */
                    name?: string | null;
                    /**
                     * @description What the platform gave, such as bot_token. It is encrypted, and never shown again.
                     * @default {}
                     */
                    credentials?: {
                        [key: string]: unknown;
                    } | null;
                    /**
                     * @description Of every channel api_base_url, enabled, and verify (false: stored without asking the platform); the others depend on the channel.
                     * @default {}
                     */
                    settings?: {
                        [key: string]: unknown;
                    } | null;
                    /**
                     * @description false: what comes from the platform is refused.
                     * @default true
                     */
                    enabled?: boolean | null;
                    /** @description The channel whose app it shares, of whichever workspace: what is not given here is that one’s. */
                    parent?: string | null;
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Channel"];
                };
            };
            /**
             * @description `malformed_request`: The request is not valid HTTP, or its address is not a valid one.
             *
             *     `invalid_json`: The body is not valid JSON.
             *
             *     `invalid_workspace_id`: workspace_id is malformed: it looks like ws_… or wt_<id>_<suffix>.
             *
             *     `missing_field`: A required field is missing.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "malformed_request" | "invalid_json" | "invalid_workspace_id" | "missing_field";
                    };
                };
            };
            /**
             * @description `missing_auth`: Send the header Authorization: Bearer <API_KEY>.
             *
             *     `malformed_auth`: The Authorization header must be exactly: Bearer <API_KEY>.
             *
             *     `invalid_key`: This key was revoked or never existed.
             */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "missing_auth" | "malformed_auth" | "invalid_key";
                    };
                };
            };
            /** @description `workspace_not_found`: There is no such workspace. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "workspace_not_found";
                    };
                };
            };
            /** @description `receive_timeout`: The request did not arrive in time. */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "receive_timeout";
                    };
                };
            };
            /**
             * @description `tenant_taken`: That team has a channel under this one already.
             *
             *     `slug_taken`: Another page has this slug: choose another one.
             */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "tenant_taken" | "slug_taken";
                    };
                };
            };
            /** @description `payload_too_large`: The body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "payload_too_large";
                    };
                };
            };
            /** @description `unsupported_media_type`: The content type is not supported here. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "unsupported_media_type";
                    };
                };
            };
            /**
             * @description `unknown_channel`: There is no channel of that kind.
             *
             *     `unknown_parent`: There is no channel of that id to be under.
             *
             *     `tenancy_not_supported`: Channels of this kind do not share an app.
             *
             *     `channel_verification_failed`: The platform does not accept these credentials.
             *
             *     `invalid_body`: The body must be a JSON object.
             *
             *     `invalid_channel`: channel is not one of the known values.
             *
             *     `invalid_name`: name must be a string of 1 to 200 characters.
             *
             *     `invalid_credentials`: credentials must be an object with what the channel takes.
             *
             *     `invalid_settings`: settings holds a value that is not understood.
             *
             *     `invalid_enabled`: enabled must be true or false.
             *
             *     `invalid_parent`: parent must be the id of a channel of the same kind that is itself under none.
             */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "unknown_channel" | "unknown_parent" | "tenancy_not_supported" | "channel_verification_failed" | "invalid_body" | "invalid_channel" | "invalid_name" | "invalid_credentials" | "invalid_settings" | "invalid_enabled" | "invalid_parent";
                    };
                };
            };
            /** @description `headers_too_large`: The headers are larger than 16 KB. */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "headers_too_large";
                    };
                };
            };
            /** @description `internal_error`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "internal_error";
                    };
                };
            };
            /** @description `deploying`: This server is shutting down or starting: try again in 30 seconds. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "deploying";
                    };
                };
            };
        };
    };
    getChannel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace_id: string;
                chan_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Channel"];
                };
            };
            /**
             * @description `malformed_request`: The request is not valid HTTP, or its address is not a valid one.
             *
             *     `invalid_workspace_id`: workspace_id is malformed: it looks like ws_… or wt_<id>_<suffix>.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "malformed_request" | "invalid_workspace_id";
                    };
                };
            };
            /**
             * @description `missing_auth`: Send the header Authorization: Bearer <API_KEY>.
             *
             *     `malformed_auth`: The Authorization header must be exactly: Bearer <API_KEY>.
             *
             *     `invalid_key`: This key was revoked or never existed.
             */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "missing_auth" | "malformed_auth" | "invalid_key";
                    };
                };
            };
            /**
             * @description `workspace_not_found`: There is no such workspace.
             *
             *     `channel_not_found`: There is no such channel.
             */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "workspace_not_found" | "channel_not_found";
                    };
                };
            };
            /** @description `receive_timeout`: The request did not arrive in time. */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "receive_timeout";
                    };
                };
            };
            /** @description `headers_too_large`: The headers are larger than 16 KB. */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "headers_too_large";
                    };
                };
            };
            /** @description `internal_error`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "internal_error";
                    };
                };
            };
            /** @description `deploying`: This server is shutting down or starting: try again in 30 seconds. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "deploying";
                    };
                };
            };
        };
    };
    deleteChannel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace_id: string;
                chan_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /**
             * @description `malformed_request`: The request is not valid HTTP, or its address is not a valid one.
             *
             *     `invalid_json`: The body is not valid JSON.
             *
             *     `invalid_workspace_id`: workspace_id is malformed: it looks like ws_… or wt_<id>_<suffix>.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "malformed_request" | "invalid_json" | "invalid_workspace_id";
                    };
                };
            };
            /**
             * @description `missing_auth`: Send the header Authorization: Bearer <API_KEY>.
             *
             *     `malformed_auth`: The Authorization header must be exactly: Bearer <API_KEY>.
             *
             *     `invalid_key`: This key was revoked or never existed.
             */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "missing_auth" | "malformed_auth" | "invalid_key";
                    };
                };
            };
            /**
             * @description `workspace_not_found`: There is no such workspace.
             *
             *     `channel_not_found`: There is no such channel.
             */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "workspace_not_found" | "channel_not_found";
                    };
                };
            };
            /** @description `receive_timeout`: The request did not arrive in time. */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "receive_timeout";
                    };
                };
            };
            /** @description `payload_too_large`: The body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "payload_too_large";
                    };
                };
            };
            /** @description `unsupported_media_type`: The content type is not supported here. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "unsupported_media_type";
                    };
                };
            };
            /** @description `headers_too_large`: The headers are larger than 16 KB. */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "headers_too_large";
                    };
                };
            };
            /** @description `internal_error`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "internal_error";
                    };
                };
            };
            /** @description `deploying`: This server is shutting down or starting: try again in 30 seconds. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "deploying";
                    };
                };
            };
        };
    };
    updateChannel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace_id: string;
                chan_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name?: string | null;
                    /** @description What the platform gave, such as bot_token. It is encrypted, and never shown again. */
                    credentials?: {
                        [key: string]: unknown;
                    } | null;
                    /** @description Of every channel api_base_url, enabled, and verify (false: stored without asking the platform); the others depend on the channel. */
                    settings?: {
                        [key: string]: unknown;
                    } | null;
                    /** @description false: what comes from the platform is refused. */
                    enabled?: boolean | null;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Channel"];
                };
            };
            /**
             * @description `malformed_request`: The request is not valid HTTP, or its address is not a valid one.
             *
             *     `invalid_json`: The body is not valid JSON.
             *
             *     `invalid_workspace_id`: workspace_id is malformed: it looks like ws_… or wt_<id>_<suffix>.
             *
             *     `missing_field`: A required field is missing.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "malformed_request" | "invalid_json" | "invalid_workspace_id" | "missing_field";
                    };
                };
            };
            /**
             * @description `missing_auth`: Send the header Authorization: Bearer <API_KEY>.
             *
             *     `malformed_auth`: The Authorization header must be exactly: Bearer <API_KEY>.
             *
             *     `invalid_key`: This key was revoked or never existed.
             */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "missing_auth" | "malformed_auth" | "invalid_key";
                    };
                };
            };
            /**
             * @description `workspace_not_found`: There is no such workspace.
             *
             *     `channel_not_found`: There is no such channel.
             */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "workspace_not_found" | "channel_not_found";
                    };
                };
            };
            /** @description `receive_timeout`: The request did not arrive in time. */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "receive_timeout";
                    };
                };
            };
            /** @description `slug_taken`: Another page has this slug: choose another one. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "slug_taken";
                    };
                };
            };
            /** @description `payload_too_large`: The body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "payload_too_large";
                    };
                };
            };
            /** @description `unsupported_media_type`: The content type is not supported here. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "unsupported_media_type";
                    };
                };
            };
            /**
             * @description `unknown_channel`: There is no channel of that kind.
             *
             *     `channel_verification_failed`: The platform does not accept these credentials.
             *
             *     `invalid_body`: The body must be a JSON object.
             *
             *     `invalid_name`: name must be a string of 1 to 200 characters.
             *
             *     `invalid_credentials`: credentials must be an object with what the channel takes.
             *
             *     `invalid_settings`: settings holds a value that is not understood.
             *
             *     `invalid_enabled`: enabled must be true or false.
             */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "unknown_channel" | "channel_verification_failed" | "invalid_body" | "invalid_name" | "invalid_credentials" | "invalid_settings" | "invalid_enabled";
                    };
                };
            };
            /** @description `headers_too_large`: The headers are larger than 16 KB. */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "headers_too_large";
                    };
                };
            };
            /** @description `internal_error`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "internal_error";
                    };
                };
            };
            /** @description `deploying`: This server is shutting down or starting: try again in 30 seconds. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "deploying";
                    };
                };
            };
        };
    };
    createInstallLink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace_id: string;
                chan_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        url: string;
                        /** Format: date-time */
                        expires_at: string;
                    };
                };
            };
            /**
             * @description `malformed_request`: The request is not valid HTTP, or its address is not a valid one.
             *
             *     `invalid_json`: The body is not valid JSON.
             *
             *     `invalid_workspace_id`: workspace_id is malformed: it looks like ws_… or wt_<id>_<suffix>.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "malformed_request" | "invalid_json" | "invalid_workspace_id";
                    };
                };
            };
            /**
             * @description `missing_auth`: Send the header Authorization: Bearer <API_KEY>.
             *
             *     `malformed_auth`: The Authorization header must be exactly: Bearer <API_KEY>.
             *
             *     `invalid_key`: This key was revoked or never existed.
             */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "missing_auth" | "malformed_auth" | "invalid_key";
                    };
                };
            };
            /**
             * @description `workspace_not_found`: There is no such workspace.
             *
             *     `channel_not_found`: There is no such channel.
             */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "workspace_not_found" | "channel_not_found";
                    };
                };
            };
            /** @description `receive_timeout`: The request did not arrive in time. */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "receive_timeout";
                    };
                };
            };
            /**
             * @description `no_public_address`: PUBLIC_URL is absent: the platform has no address to send people back to.
             *
             *     `app_not_installable`: The channel has no app that can be installed: give it the credentials that this takes.
             */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "no_public_address" | "app_not_installable";
                    };
                };
            };
            /** @description `payload_too_large`: The body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "payload_too_large";
                    };
                };
            };
            /** @description `unsupported_media_type`: The content type is not supported here. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "unsupported_media_type";
                    };
                };
            };
            /**
             * @description `invalid_parent`: parent must be the id of a channel of the same kind that is itself under none.
             *
             *     `tenancy_not_supported`: Channels of this kind do not share an app.
             */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "invalid_parent" | "tenancy_not_supported";
                    };
                };
            };
            /** @description `headers_too_large`: The headers are larger than 16 KB. */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "headers_too_large";
                    };
                };
            };
            /** @description `internal_error`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "internal_error";
                    };
                };
            };
            /** @description `deploying`: This server is shutting down or starting: try again in 30 seconds. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "deploying";
                    };
                };
            };
        };
    };
    getWidget: {
        parameters: {
            query?: {
                /** @description The languages that the page wants, such as `de-AT,en`: the first that there is. */
                lang?: string;
            };
            header?: never;
            path: {
                public_token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WidgetLook"];
                };
            };
            /** @description `malformed_request`: The request is not valid HTTP, or its address is not a valid one. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "malformed_request";
                    };
                };
            };
            /** @description `origin_not_allowed`: This origin may not call this address: see the setting allowed_domains. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "origin_not_allowed";
                    };
                };
            };
            /** @description `channel_not_found`: There is no such channel. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "channel_not_found";
                    };
                };
            };
            /** @description `receive_timeout`: The request did not arrive in time. */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "receive_timeout";
                    };
                };
            };
            /** @description `invalid_body`: The body must be a JSON object. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "invalid_body";
                    };
                };
            };
            /** @description `rate_limit_minute`: Too many requests this minute. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "rate_limit_minute";
                    };
                };
            };
            /** @description `headers_too_large`: The headers are larger than 16 KB. */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "headers_too_large";
                    };
                };
            };
            /** @description `internal_error`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "internal_error";
                    };
                };
            };
            /** @description `deploying`: This server is shutting down or starting: try again in 30 seconds. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "deploying";
                    };
                };
            };
        };
    };
    openSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                public_token: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    user?: {
                        user_id: string;
                        /** @description Lower-case hexadecimal HMAC-SHA256 of user_id under the workspace's identity secret. */
                        hash?: string | null;
                        name?: string | null;
                        email?: string | null;
                    } | null;
                    /** @description A JWT (HS256) under the identity secret. */
                    verification_token?: string | null;
                    previous_session?: string | null;
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VisitorSession"];
                };
            };
            /**
             * @description `malformed_request`: The request is not valid HTTP, or its address is not a valid one.
             *
             *     `invalid_json`: The body is not valid JSON.
             *
             *     `missing_field`: A required field is missing.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "malformed_request" | "invalid_json" | "missing_field";
                    };
                };
            };
            /**
             * @description `verification_required`: Identity verification is required: pass user.hash or verification_token.
             *
             *     `origin_not_allowed`: This origin may not call this address: see the setting allowed_domains.
             */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "verification_required" | "origin_not_allowed";
                    };
                };
            };
            /** @description `channel_not_found`: There is no such channel. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "channel_not_found";
                    };
                };
            };
            /** @description `receive_timeout`: The request did not arrive in time. */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "receive_timeout";
                    };
                };
            };
            /** @description `payload_too_large`: The body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "payload_too_large";
                    };
                };
            };
            /** @description `unsupported_media_type`: The content type is not supported here. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "unsupported_media_type";
                    };
                };
            };
            /**
             * @description `invalid_body`: The body must be a JSON object.
             *
             *     `invalid_user`: user must be an object with user_id, and optionally hash, name and email.
             *
             *     `invalid_verification_token`: verification_token must be a string.
             */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "invalid_body" | "invalid_user" | "invalid_verification_token";
                    };
                };
            };
            /**
             * @description `rate_limit_minute`: Too many requests this minute.
             *
             *     `challenge_required`: There is much to do: show work for this request as the header Challenge says, or come back later.
             */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    Challenge: components["headers"]["Challenge"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "rate_limit_minute" | "challenge_required";
                    };
                };
            };
            /** @description `headers_too_large`: The headers are larger than 16 KB. */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "headers_too_large";
                    };
                };
            };
            /** @description `internal_error`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "internal_error";
                    };
                };
            };
            /** @description `deploying`: This server is shutting down or starting: try again in 30 seconds. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "deploying";
                    };
                };
            };
        };
    };
    closeSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                public_token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /**
             * @description `malformed_request`: The request is not valid HTTP, or its address is not a valid one.
             *
             *     `invalid_json`: The body is not valid JSON.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "malformed_request" | "invalid_json";
                    };
                };
            };
            /**
             * @description `missing_auth`: Send the header Authorization: Bearer <API_KEY>.
             *
             *     `malformed_auth`: The Authorization header must be exactly: Bearer <API_KEY>.
             *
             *     `invalid_session`: This session is over, or never was: begin a new one.
             */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "missing_auth" | "malformed_auth" | "invalid_session";
                    };
                };
            };
            /** @description `origin_not_allowed`: This origin may not call this address: see the setting allowed_domains. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "origin_not_allowed";
                    };
                };
            };
            /** @description `channel_not_found`: There is no such channel. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "channel_not_found";
                    };
                };
            };
            /** @description `receive_timeout`: The request did not arrive in time. */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "receive_timeout";
                    };
                };
            };
            /** @description `payload_too_large`: The body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "payload_too_large";
                    };
                };
            };
            /** @description `unsupported_media_type`: The content type is not supported here. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "unsupported_media_type";
                    };
                };
            };
            /** @description `rate_limit_minute`: Too many requests this minute. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "rate_limit_minute";
                    };
                };
            };
            /** @description `headers_too_large`: The headers are larger than 16 KB. */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "headers_too_large";
                    };
                };
            };
            /** @description `internal_error`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "internal_error";
                    };
                };
            };
            /** @description `deploying`: This server is shutting down or starting: try again in 30 seconds. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "deploying";
                    };
                };
            };
        };
    };
    askAsVisitor: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                public_token: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Empty only where there are files. */
                    query: string;
                    /**
                     * @description The ids of files that were sent before, by POST …/files.
                     * @default []
                     */
                    files?: string[] | null;
                    /** @description Where the visitor is on the site: shown to the people who answer. */
                    metadata?: {
                        page_url?: string | null;
                        page_title?: string | null;
                    } | null;
                };
            };
        };
        responses: {
            /** @description Server-sent events: status frames, token frames, and one last frame. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            /**
             * @description `malformed_request`: The request is not valid HTTP, or its address is not a valid one.
             *
             *     `invalid_json`: The body is not valid JSON.
             *
             *     `missing_field`: A required field is missing.
             *
             *     `message_too_long`: query is longer than 4,000 characters.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "malformed_request" | "invalid_json" | "missing_field" | "message_too_long";
                    };
                };
            };
            /**
             * @description `missing_auth`: Send the header Authorization: Bearer <API_KEY>.
             *
             *     `malformed_auth`: The Authorization header must be exactly: Bearer <API_KEY>.
             *
             *     `invalid_session`: This session is over, or never was: begin a new one.
             */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "missing_auth" | "malformed_auth" | "invalid_session";
                    };
                };
            };
            /**
             * @description `origin_not_allowed`: This origin may not call this address: see the setting allowed_domains.
             *
             *     `verification_required`: Identity verification is required: pass user.hash or verification_token.
             */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "origin_not_allowed" | "verification_required";
                    };
                };
            };
            /**
             * @description `channel_not_found`: There is no such channel.
             *
             *     `attachment_not_found`: There is no such file, or its platform does not have it any more.
             */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "channel_not_found" | "attachment_not_found";
                    };
                };
            };
            /** @description `receive_timeout`: The request did not arrive in time. */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "receive_timeout";
                    };
                };
            };
            /** @description `payload_too_large`: The body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "payload_too_large";
                    };
                };
            };
            /** @description `unsupported_media_type`: The content type is not supported here. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "unsupported_media_type";
                    };
                };
            };
            /**
             * @description `invalid_body`: The body must be a JSON object.
             *
             *     `invalid_query`: query must be a string.
             *
             *     `invalid_files`: files must be an array of at most 5 ids of files that were sent before.
             *
             *     `invalid_metadata`: metadata must be an object of at most 16 KB.
             */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "invalid_body" | "invalid_query" | "invalid_files" | "invalid_metadata";
                    };
                };
            };
            /**
             * @description `rate_limit_minute`: Too many requests this minute.
             *
             *     `challenge_required`: There is much to do: show work for this request as the header Challenge says, or come back later.
             *
             *     `rate_limit_concurrent`: More than 50 requests of this key are in flight.
             *
             *     `quota_exhausted`: The owner's monthly message allowance is used up.
             */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    Challenge: components["headers"]["Challenge"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "rate_limit_minute" | "challenge_required" | "rate_limit_concurrent" | "quota_exhausted";
                    };
                };
            };
            /** @description `headers_too_large`: The headers are larger than 16 KB. */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "headers_too_large";
                    };
                };
            };
            /** @description `internal_error`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "internal_error";
                    };
                };
            };
            /** @description `deploying`: This server is shutting down or starting: try again in 30 seconds. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "deploying";
                    };
                };
            };
            /** @description `request_timeout`: The request took longer than 30 seconds. */
            504: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "request_timeout";
                    };
                };
            };
        };
    };
    askForPerson: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                public_token: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description What the visitor's button says: it stands in the conversation, and tells the language. */
                    query: string;
                    /** @description Where the visitor is on the site: shown to the people who answer. */
                    metadata?: {
                        page_url?: string | null;
                        page_title?: string | null;
                    } | null;
                };
            };
        };
        responses: {
            /** @description Server-sent events: status frames, token frames, and one last frame. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            /**
             * @description `malformed_request`: The request is not valid HTTP, or its address is not a valid one.
             *
             *     `invalid_json`: The body is not valid JSON.
             *
             *     `missing_field`: A required field is missing.
             *
             *     `message_too_long`: query is longer than 4,000 characters.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "malformed_request" | "invalid_json" | "missing_field" | "message_too_long";
                    };
                };
            };
            /**
             * @description `missing_auth`: Send the header Authorization: Bearer <API_KEY>.
             *
             *     `malformed_auth`: The Authorization header must be exactly: Bearer <API_KEY>.
             *
             *     `invalid_session`: This session is over, or never was: begin a new one.
             */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "missing_auth" | "malformed_auth" | "invalid_session";
                    };
                };
            };
            /**
             * @description `origin_not_allowed`: This origin may not call this address: see the setting allowed_domains.
             *
             *     `verification_required`: Identity verification is required: pass user.hash or verification_token.
             */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "origin_not_allowed" | "verification_required";
                    };
                };
            };
            /** @description `channel_not_found`: There is no such channel. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "channel_not_found";
                    };
                };
            };
            /** @description `receive_timeout`: The request did not arrive in time. */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "receive_timeout";
                    };
                };
            };
            /** @description `payload_too_large`: The body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "payload_too_large";
                    };
                };
            };
            /** @description `unsupported_media_type`: The content type is not supported here. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "unsupported_media_type";
                    };
                };
            };
            /**
             * @description `invalid_body`: The body must be a JSON object.
             *
             *     `invalid_query`: query must be a string.
             *
             *     `invalid_metadata`: metadata must be an object of at most 16 KB.
             */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "invalid_body" | "invalid_query" | "invalid_metadata";
                    };
                };
            };
            /**
             * @description `rate_limit_minute`: Too many requests this minute.
             *
             *     `challenge_required`: There is much to do: show work for this request as the header Challenge says, or come back later.
             *
             *     `rate_limit_concurrent`: More than 50 requests of this key are in flight.
             *
             *     `quota_exhausted`: The owner's monthly message allowance is used up.
             */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    Challenge: components["headers"]["Challenge"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "rate_limit_minute" | "challenge_required" | "rate_limit_concurrent" | "quota_exhausted";
                    };
                };
            };
            /** @description `headers_too_large`: The headers are larger than 16 KB. */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "headers_too_large";
                    };
                };
            };
            /** @description `internal_error`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "internal_error";
                    };
                };
            };
            /** @description `deploying`: This server is shutting down or starting: try again in 30 seconds. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "deploying";
                    };
                };
            };
            /** @description `request_timeout`: The request took longer than 30 seconds. */
            504: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "request_timeout";
                    };
                };
            };
        };
    };
    leaveContact: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                public_token: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** Format: email */
                    email: string;
                    name?: string | null;
                };
            };
        };
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /**
             * @description `malformed_request`: The request is not valid HTTP, or its address is not a valid one.
             *
             *     `invalid_json`: The body is not valid JSON.
             *
             *     `missing_field`: A required field is missing.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "malformed_request" | "invalid_json" | "missing_field";
                    };
                };
            };
            /**
             * @description `missing_auth`: Send the header Authorization: Bearer <API_KEY>.
             *
             *     `malformed_auth`: The Authorization header must be exactly: Bearer <API_KEY>.
             *
             *     `invalid_session`: This session is over, or never was: begin a new one.
             */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "missing_auth" | "malformed_auth" | "invalid_session";
                    };
                };
            };
            /** @description `origin_not_allowed`: This origin may not call this address: see the setting allowed_domains. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "origin_not_allowed";
                    };
                };
            };
            /** @description `channel_not_found`: There is no such channel. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "channel_not_found";
                    };
                };
            };
            /** @description `receive_timeout`: The request did not arrive in time. */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "receive_timeout";
                    };
                };
            };
            /** @description `payload_too_large`: The body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "payload_too_large";
                    };
                };
            };
            /** @description `unsupported_media_type`: The content type is not supported here. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "unsupported_media_type";
                    };
                };
            };
            /**
             * @description `invalid_body`: The body must be a JSON object.
             *
             *     `invalid_email`: email must be an e-mail address.
             *
             *     `invalid_name`: name must be a string of 1 to 200 characters.
             */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "invalid_body" | "invalid_email" | "invalid_name";
                    };
                };
            };
            /**
             * @description `rate_limit_minute`: Too many requests this minute.
             *
             *     `challenge_required`: There is much to do: show work for this request as the header Challenge says, or come back later.
             */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    Challenge: components["headers"]["Challenge"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "rate_limit_minute" | "challenge_required";
                    };
                };
            };
            /** @description `headers_too_large`: The headers are larger than 16 KB. */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "headers_too_large";
                    };
                };
            };
            /** @description `internal_error`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "internal_error";
                    };
                };
            };
            /** @description `deploying`: This server is shutting down or starting: try again in 30 seconds. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "deploying";
                    };
                };
            };
        };
    };
    handInFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                public_token: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    /**
                     * Format: binary
                     * @description PNG, JPEG, GIF, WebP, PDF or plain text.
                     */
                    file: string;
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VisitorFile"];
                };
            };
            /**
             * @description `invalid_multipart`: The multipart body could not be read.
             *
             *     `malformed_request`: The request is not valid HTTP, or its address is not a valid one.
             *
             *     `invalid_json`: The body is not valid JSON.
             *
             *     `missing_field`: A required field is missing.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "invalid_multipart" | "malformed_request" | "invalid_json" | "missing_field";
                    };
                };
            };
            /**
             * @description `missing_auth`: Send the header Authorization: Bearer <API_KEY>.
             *
             *     `malformed_auth`: The Authorization header must be exactly: Bearer <API_KEY>.
             *
             *     `invalid_session`: This session is over, or never was: begin a new one.
             */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "missing_auth" | "malformed_auth" | "invalid_session";
                    };
                };
            };
            /**
             * @description `origin_not_allowed`: This origin may not call this address: see the setting allowed_domains.
             *
             *     `attachments_off`: Files are not taken here: see the setting attachments of the channel.
             */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "origin_not_allowed" | "attachments_off";
                    };
                };
            };
            /** @description `channel_not_found`: There is no such channel. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "channel_not_found";
                    };
                };
            };
            /** @description `receive_timeout`: The request did not arrive in time. */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "receive_timeout";
                    };
                };
            };
            /** @description `too_many_files`: No more files of visitors are kept for this workspace. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "too_many_files";
                    };
                };
            };
            /** @description `payload_too_large`: The body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "payload_too_large";
                    };
                };
            };
            /** @description `unsupported_media_type`: The content type is not supported here. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "unsupported_media_type";
                    };
                };
            };
            /**
             * @description `invalid_body`: The body must be a JSON object.
             *
             *     `invalid_file`: file must be exactly one non-empty file.
             */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "invalid_body" | "invalid_file";
                    };
                };
            };
            /**
             * @description `rate_limit_minute`: Too many requests this minute.
             *
             *     `challenge_required`: There is much to do: show work for this request as the header Challenge says, or come back later.
             *
             *     `rate_limit_day`: Too many requests today: the count starts again at midnight UTC.
             */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    Challenge: components["headers"]["Challenge"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "rate_limit_minute" | "challenge_required" | "rate_limit_day";
                    };
                };
            };
            /** @description `headers_too_large`: The headers are larger than 16 KB. */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "headers_too_large";
                    };
                };
            };
            /** @description `internal_error`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "internal_error";
                    };
                };
            };
            /** @description `deploying`: This server is shutting down or starting: try again in 30 seconds. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "deploying";
                    };
                };
            };
        };
    };
    listVisitorMessages: {
        parameters: {
            query?: {
                limit?: number;
                /** @description next_cursor of the page before. */
                cursor?: string;
            };
            header?: never;
            path: {
                public_token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VisitorMessages"];
                };
            };
            /** @description `malformed_request`: The request is not valid HTTP, or its address is not a valid one. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "malformed_request";
                    };
                };
            };
            /**
             * @description `missing_auth`: Send the header Authorization: Bearer <API_KEY>.
             *
             *     `malformed_auth`: The Authorization header must be exactly: Bearer <API_KEY>.
             *
             *     `invalid_session`: This session is over, or never was: begin a new one.
             */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "missing_auth" | "malformed_auth" | "invalid_session";
                    };
                };
            };
            /** @description `origin_not_allowed`: This origin may not call this address: see the setting allowed_domains. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "origin_not_allowed";
                    };
                };
            };
            /** @description `channel_not_found`: There is no such channel. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "channel_not_found";
                    };
                };
            };
            /** @description `receive_timeout`: The request did not arrive in time. */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "receive_timeout";
                    };
                };
            };
            /**
             * @description `invalid_limit`: limit must be an integer from 1 to 100.
             *
             *     `invalid_cursor`: cursor must be a next_cursor of this very list.
             */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "invalid_limit" | "invalid_cursor";
                    };
                };
            };
            /** @description `rate_limit_minute`: Too many requests this minute. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "rate_limit_minute";
                    };
                };
            };
            /** @description `headers_too_large`: The headers are larger than 16 KB. */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "headers_too_large";
                    };
                };
            };
            /** @description `internal_error`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "internal_error";
                    };
                };
            };
            /** @description `deploying`: This server is shutting down or starting: try again in 30 seconds. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "deploying";
                    };
                };
            };
        };
    };
    hearVisitorEvents: {
        parameters: {
            query?: {
                /** @description It ends after so long, as for who has to read it whole. */
                seconds?: number;
            };
            header?: never;
            path: {
                public_token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Server-sent events. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            /** @description `malformed_request`: The request is not valid HTTP, or its address is not a valid one. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "malformed_request";
                    };
                };
            };
            /**
             * @description `missing_auth`: Send the header Authorization: Bearer <API_KEY>.
             *
             *     `malformed_auth`: The Authorization header must be exactly: Bearer <API_KEY>.
             *
             *     `invalid_session`: This session is over, or never was: begin a new one.
             */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "missing_auth" | "malformed_auth" | "invalid_session";
                    };
                };
            };
            /** @description `origin_not_allowed`: This origin may not call this address: see the setting allowed_domains. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "origin_not_allowed";
                    };
                };
            };
            /** @description `channel_not_found`: There is no such channel. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "channel_not_found";
                    };
                };
            };
            /** @description `receive_timeout`: The request did not arrive in time. */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "receive_timeout";
                    };
                };
            };
            /** @description `invalid_body`: The body must be a JSON object. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "invalid_body";
                    };
                };
            };
            /**
             * @description `rate_limit_minute`: Too many requests this minute.
             *
             *     `rate_limit_concurrent`: More than 50 requests of this key are in flight.
             */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "rate_limit_minute" | "rate_limit_concurrent";
                    };
                };
            };
            /** @description `headers_too_large`: The headers are larger than 16 KB. */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "headers_too_large";
                    };
                };
            };
            /** @description `internal_error`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "internal_error";
                    };
                };
            };
            /** @description `deploying`: This server is shutting down or starting: try again in 30 seconds. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "deploying";
                    };
                };
            };
        };
    };
    judgeAsVisitor: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                public_token: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Null takes it back, with its comment. */
                    value: ("up" | "down") | null;
                    /** @description More, in his own words. Where it is left out, what was said of the same value before stays. */
                    comment?: string | null;
                    message_id: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /**
             * @description `malformed_request`: The request is not valid HTTP, or its address is not a valid one.
             *
             *     `invalid_json`: The body is not valid JSON.
             *
             *     `missing_field`: A required field is missing.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "malformed_request" | "invalid_json" | "missing_field";
                    };
                };
            };
            /**
             * @description `missing_auth`: Send the header Authorization: Bearer <API_KEY>.
             *
             *     `malformed_auth`: The Authorization header must be exactly: Bearer <API_KEY>.
             *
             *     `invalid_session`: This session is over, or never was: begin a new one.
             */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "missing_auth" | "malformed_auth" | "invalid_session";
                    };
                };
            };
            /** @description `origin_not_allowed`: This origin may not call this address: see the setting allowed_domains. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "origin_not_allowed";
                    };
                };
            };
            /**
             * @description `channel_not_found`: There is no such channel.
             *
             *     `message_not_found`: There is no such answer in this conversation.
             */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "channel_not_found" | "message_not_found";
                    };
                };
            };
            /** @description `receive_timeout`: The request did not arrive in time. */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "receive_timeout";
                    };
                };
            };
            /** @description `payload_too_large`: The body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "payload_too_large";
                    };
                };
            };
            /** @description `unsupported_media_type`: The content type is not supported here. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "unsupported_media_type";
                    };
                };
            };
            /**
             * @description `invalid_body`: The body must be a JSON object.
             *
             *     `invalid_value`: value must be "up", "down" or null.
             *
             *     `invalid_comment`: comment must be a string of at most 4,000 characters.
             */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "invalid_body" | "invalid_value" | "invalid_comment";
                    };
                };
            };
            /** @description `rate_limit_minute`: Too many requests this minute. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "rate_limit_minute";
                    };
                };
            };
            /** @description `headers_too_large`: The headers are larger than 16 KB. */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "headers_too_large";
                    };
                };
            };
            /** @description `internal_error`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "internal_error";
                    };
                };
            };
            /** @description `deploying`: This server is shutting down or starting: try again in 30 seconds. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "deploying";
                    };
                };
            };
        };
    };
    readAsVisitor: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                public_token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /**
             * @description `malformed_request`: The request is not valid HTTP, or its address is not a valid one.
             *
             *     `invalid_json`: The body is not valid JSON.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "malformed_request" | "invalid_json";
                    };
                };
            };
            /**
             * @description `missing_auth`: Send the header Authorization: Bearer <API_KEY>.
             *
             *     `malformed_auth`: The Authorization header must be exactly: Bearer <API_KEY>.
             *
             *     `invalid_session`: This session is over, or never was: begin a new one.
             */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "missing_auth" | "malformed_auth" | "invalid_session";
                    };
                };
            };
            /** @description `origin_not_allowed`: This origin may not call this address: see the setting allowed_domains. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "origin_not_allowed";
                    };
                };
            };
            /** @description `channel_not_found`: There is no such channel. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "channel_not_found";
                    };
                };
            };
            /** @description `receive_timeout`: The request did not arrive in time. */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "receive_timeout";
                    };
                };
            };
            /** @description `payload_too_large`: The body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "payload_too_large";
                    };
                };
            };
            /** @description `unsupported_media_type`: The content type is not supported here. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "unsupported_media_type";
                    };
                };
            };
            /** @description `rate_limit_minute`: Too many requests this minute. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "rate_limit_minute";
                    };
                };
            };
            /** @description `headers_too_large`: The headers are larger than 16 KB. */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "headers_too_large";
                    };
                };
            };
            /** @description `internal_error`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "internal_error";
                    };
                };
            };
            /** @description `deploying`: This server is shutting down or starting: try again in 30 seconds. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "deploying";
                    };
                };
            };
        };
    };
    takeFileBack: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                public_token: string;
                file_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /**
             * @description `malformed_request`: The request is not valid HTTP, or its address is not a valid one.
             *
             *     `invalid_json`: The body is not valid JSON.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "malformed_request" | "invalid_json";
                    };
                };
            };
            /**
             * @description `missing_auth`: Send the header Authorization: Bearer <API_KEY>.
             *
             *     `malformed_auth`: The Authorization header must be exactly: Bearer <API_KEY>.
             *
             *     `invalid_session`: This session is over, or never was: begin a new one.
             */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "missing_auth" | "malformed_auth" | "invalid_session";
                    };
                };
            };
            /** @description `origin_not_allowed`: This origin may not call this address: see the setting allowed_domains. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "origin_not_allowed";
                    };
                };
            };
            /**
             * @description `channel_not_found`: There is no such channel.
             *
             *     `attachment_not_found`: There is no such file, or its platform does not have it any more.
             */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "channel_not_found" | "attachment_not_found";
                    };
                };
            };
            /** @description `receive_timeout`: The request did not arrive in time. */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "receive_timeout";
                    };
                };
            };
            /** @description `payload_too_large`: The body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "payload_too_large";
                    };
                };
            };
            /** @description `unsupported_media_type`: The content type is not supported here. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "unsupported_media_type";
                    };
                };
            };
            /** @description `rate_limit_minute`: Too many requests this minute. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "rate_limit_minute";
                    };
                };
            };
            /** @description `headers_too_large`: The headers are larger than 16 KB. */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "headers_too_large";
                    };
                };
            };
            /** @description `internal_error`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "internal_error";
                    };
                };
            };
            /** @description `deploying`: This server is shutting down or starting: try again in 30 seconds. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "deploying";
                    };
                };
            };
        };
    };
}
