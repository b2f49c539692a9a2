import { CorrigoApi } from '../../credentials/CorrigoApi.credentials';
import { Corrigo } from '../../nodes/Corrigo/Corrigo.node';
import { CorrigoDesk } from '../../nodes/Corrigo/CorrigoDesk.node';
import { CorrigoTrigger } from '../../nodes/Corrigo/CorrigoTrigger.node';
import { CorrigoWebhookTrigger } from '../../nodes/Corrigo/CorrigoWebhookTrigger.node';

/** The classes of the working copy. */
export const classes = { Corrigo, CorrigoApi, CorrigoDesk, CorrigoTrigger, CorrigoWebhookTrigger };
