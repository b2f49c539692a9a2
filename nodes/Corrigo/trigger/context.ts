import type { IHookFunctions, IPollFunctions, IWebhookFunctions } from 'n8n-workflow';

/** Whoever waits for changes: what polls, and what is pushed to. */
export type TriggerContext = IPollFunctions | IWebhookFunctions | IHookFunctions;
