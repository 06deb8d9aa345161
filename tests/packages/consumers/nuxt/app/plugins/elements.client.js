import 'multihead-attention/elements';
import { defineNuxtPlugin } from '#imports';

export default defineNuxtPlugin(() => {});
