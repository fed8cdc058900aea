/** Requests that cost the server a search: with the administrator's token where it wants one. */

import { AdminField } from "./admin.js";
import { post } from "./api.js";

/** The field of the page; shown once the server has asked for the token. */
export const admin = new AdminField();

/**
 * @param {string} path
 * @param {any} body
 * @param {string | null} [token] of a seat, in place of the administrator's
 * @returns {Promise<any>}
 */
export async function ask(path, body, token = null) {
  try {
    const told = await post(path, body, token ?? admin.token);
    if (!token) admin.keep();
    return told;
  } catch (error) {
    if (!token) admin.wanted(error);
    throw error;
  }
}
