import { ARRAY, check, PG, ROW } from './answers-support.js';

check('something else is tested in its place', { shape: PG }, [
  ['const r = await q(); if (!r) return;', 'mistaken result: r'],
  ['if (await q()) work();', 'mistaken result: await q()'],
  ['if (q()) work();', 'mistaken result: q()'],
  ['if (r = await q()) work(); var r;', 'mistaken result: r = await q()'],
  ['const r = await q(); if (r === null) return;', 'mistaken result: r'],
  ['const r = await q(); if (r !== undefined) work();', 'mistaken result: r'],
  ['const r = await q(); if (r == null) return;', 'mistaken result: r'],
  ['const r = await q(); if (r === true) work();', 'mistaken result: r'],
  ['return Boolean(await q());', 'mistaken result: await q()'],
  ['return !!(await q());', 'mistaken result: await q()'],
  ['return !(await q()).rows[0];', 'mistaken row: (await q()).rows[0]'],
  ['const won = (await q()) ? "won" : "lost"; log(won);', 'mistaken result: await q()'],
  ['return (await q()) && work();', 'mistaken result: await q()'],
  ['(await q()) || warn();', 'mistaken result: await q()'],
  ['while (!(await q())) await pause();', 'mistaken result: await q()'],
  ['const { rows } = await q(); return rows.length > 0;', 'mistaken count: rows.length'],
  ['const { rows } = await q(); if (rows.length === 1) work();', 'mistaken count: rows.length'],
  ['const { rows } = await q(); if (0 === rows.length) return;', 'mistaken count: rows.length'],
  ['const { rows } = await q(); if (!rows.length) return;', 'mistaken count: rows.length'],
  ['const { rows: { length } } = await q(); if (length) work();', 'mistaken count: length'],
  ['const { rows } = await q(); if (rows) work();', 'mistaken rows: rows'],
  ['const { rows } = await q(); if (rows[0]) work();', 'mistaken row: rows[0]'],
  ['const { rows } = await q(); if (rows[0] !== undefined) work();', 'mistaken row: rows[0]'],
  ['const { rows } = await q(); if (rows.at(0) != null) work();', 'mistaken row: rows.at(0)'],
  ['const { rows: [row] } = await q(); if (!row) return;', 'mistaken row: row'],
  ['const { rows: [row] } = await q(); return row ? 1 : 0;', 'mistaken row: row'],
  ['const { rowCount } = await q(); return rowCount === 1;', 'mistaken count: rowCount'],
  ['const { rowCount } = await q(); return (rowCount ?? 0) > 0;', 'mistaken count: rowCount ?? 0'],
  ['const { rowCount } = await q(); if ((rowCount || 0) > 0) work();', 'mistaken count: rowCount || 0'],
  ['const { rowCount: n = 0 } = await q(); if (n < 1) return;', 'mistaken count: n'],
  ['const r = await q(); if (Number(r.rowCount) === 1) work();', 'mistaken count: Number(r.rowCount)'],
  ['const r = await q(); if (+r.rowCount) work();', 'mistaken count: +r.rowCount'],
  ['const r = await q(); if (r.rowCount - 1 === 0) work();', 'mistaken count: r.rowCount - 1'],
  ['const r = await q(); switch (r.rowCount) { case 1: work(); }', 'mistaken count: r.rowCount'],
  ['const r = await q(); switch (true) { case r.rowCount === 1: work(); }', 'mistaken count: r.rowCount'],
  ['const won = (await q()).rows.length > 0; if (won) work();', 'mistaken count: (await q()).rows.length'],
  ['let won = false; won = (await q()).rowCount === 1; return won;', 'mistaken count: (await q()).rowCount'],
  ['assert((await q()).rows.length === 1);', 'mistaken count: (await q()).rows.length'],
  ['const r = await q(); if (r && r.rows && r.rows.length) work();', 'mistaken count: r.rows.length'],
  ['const r = await q(); if (r && (cond || (x && r.rows))) work();', 'mistaken rows: r.rows'],
  ['const r = await q(); if (!(cond && r)) work();', 'mistaken result: r'],
  ['const r = await q(); const won = cond && r; if (won) work();', 'mistaken result: won'],
  ['const r = await q(); if (r && r.rows.length && r.rows[0].ok) work();', 'read'],
  ['const r = await q(); if (!r.rows.length) throw 1; if (!r.rows[0].ok) throw 2;', 'read'],
  ['const { rows: [row] } = await q(); if (!row) throw 1; if (!row.ok) throw 2;', 'read'],
  ['const r = await q(); const row = r.rows[r.rows.length - 1]; if (row) work();', 'mistaken row: row'],
  ['const r = await q(); const row = r.rows[r.rows.length - 1]; if (row.ok) work();', 'read'],
  ['const rows = (await q()).rows || []; if (rows.length) work();', 'mistaken count: rows.length'],
  ['const row = (await q()).rows[0] ?? null; if (row === null) return;', 'mistaken row: row'],
  ['if (Object.values((await q()).rows[0]).length) work();', 'mistaken count: Object.values((await q()).rows[0]).length'],
  ['const r = await q(); if (Array.isArray(r.rows) && r.rows.length) work();', 'mistaken count: r.rows.length'],
  ['const _r = await q(); if (_r) work();', 'mistaken result: _r'],
]);

check('something else is tested in place of the boolean, rows directly', { shape: ARRAY }, [
  ['return (await q`x`) ? 1 : 0;', 'mistaken result: await q`x`'],
  ['return (await q`x`).count === 1;', 'mistaken count: (await q`x`).count'],
  ['return (await q`x`).length > 0;', 'mistaken count: (await q`x`).length'],
  ['const rows = await q`x`; if (rows) work();', 'mistaken result: rows'],
  ['const [row] = await q`x`; return row ? "won" : "lost";', 'mistaken row: row'],
  ['const [row] = await q`x`; return row === undefined;', 'mistaken row: row'],
  ['const { length } = await q`x`; if (length) work();', 'mistaken count: length'],
  ['const { count } = await q`x`; if (count) work();', 'mistaken count: count'],
  ['return (await q()) !== null;', 'mistaken result: await q()'],
  ['const n = await q(); if (n === 1) return true;', 'mistaken count: n'],
  ['const n = await q(); if (n > 0) return true;', 'mistaken count: n'],
  ['if ((await q()) === true) work();', 'read'],
  ['const [rows] = await q(); if (rows.length > 0) work();', 'mistaken count: rows.length'],
  ['const rows = await q`x`; if (rows[0]) work();', 'mistaken row: rows[0]'],
  ['const rows = await q`x`; if (rows.find(Boolean)) work();', 'mistaken row: rows.find(Boolean)'],
]);

check('a column that is not there', { shape: PG, otherColumns: ['pid'] }, [
  ['const r = await q(); if (r.rows[0].locked) work();', 'mistaken column: r.rows[0].locked'],
  ['const r = await q(); return r.rows[0].locked;', 'mistaken column: r.rows[0].locked'],
  ['const { rows: [{ locked }] } = await q(); if (locked) work();', 'mistaken column: locked'],
  ['const { rows: [{ locked = false }] } = await q(); if (locked) work();', 'mistaken column: locked = false'],
  ['const { rows: [{ locked: won }] } = await q(); if (won) work();', 'mistaken column: locked: won'],
  ['const r = await q(); if (r.rows[0]["locked"]) work();', 'mistaken column: r.rows[0]["locked"]'],
  ['const r = await q(); if (r.rows[0]?.locked) work();', 'mistaken column: r.rows[0]?.locked'],
  ['const r = await q(); if (r.rows[0].locked || r.rows[0].ok) work();', 'read'],
  ['const r = await q(); log(r.rows[0].pid);', 'dropped'],
  ['const r = await q(); if (r.rows[0].pid === mine) work();', 'dropped'],
  ['const { rows: [{ pid }] } = await q(); log(pid);', 'dropped'],
  ['const { rows: [{ pid, ok }] } = await q(); if (ok) log(pid);', 'read'],
  ['const { rows: [{ ok, ...others }] } = await q(); log(others);', 'dropped'],
  ['const { rows: [{ pid, ...others }] } = await q(); log(others);', 'read'],
  ['const r = await q(); log(r.rows[0].locked.at);', 'read'],
  ['const r = await q(); log(r.rows[0].get("ok"));', 'read'],
  ['const { rows: [{ meta: { ok } }] } = await q(); if (ok) work();', 'read'],
  ['const r = await q(); if (r.rows[0][name]) work();', 'read'],
  ['const [, r] = await q(); if (r.rows[0].locked) work();', 'read'],
  ['const r = await q(); if (r[1].rows[0].locked) work();', 'read'],
  ['const r = await q(); if (r[1].rows.length) work();', 'mistaken count: r[1].rows.length'],
]);

check('the only column, spelled otherwise', { shape: PG, otherColumns: [], column: { kind: 'column', name: 'is_locked', index: 0 } }, [
  ['const r = await q(); if (r.rows[0].is_locked) work();', 'read'],
  ['const r = await q(); if (r.rows[0].isLocked) work();', 'read'],
  ['const r = await q(); if (r.rows[0].locked) work();', 'mistaken column: r.rows[0].locked'],
]);

check('columns that are not all known', { shape: PG }, [
  ['const r = await q(); if (r.rows[0].locked) work();', 'read'],
  ['const { rows: [{ locked }] } = await q();', 'dropped'],
  ['const r = await q(); r.rows[0].locked;', 'dropped'],
]);

check('the presence of a row is the answer', { shape: PG, column: ROW }, [
  ['const { rowCount } = await q(); return rowCount === 1;', 'read'],
  ['const { rows } = await q(); if (rows.length) work();', 'read'],
  ['const { rows } = await q(); if (!rows[0]) return;', 'read'],
  ['const { rows: [row] } = await q(); if (row) work();', 'read'],
  ['const { rows: [row] } = await q(); if (row?.locked) work();', 'read'],
  ['for (const row of (await q()).rows) work();', 'read'],
  ['(await q()).rows.forEach(() => work());', 'read'],
  ['if (await q()) work();', 'mistaken result: await q()'],
  ['const { rows } = await q(); if (rows) work();', 'mistaken rows: rows'],
  ['await q();', 'dropped'],
  ['const { rows } = await q();', 'dropped'],
]);

check('the presence of a row is the answer, rows directly', { shape: ARRAY, column: ROW }, [
  ['const result = await q`x`; return result.count === 0;', 'read'],
  ['const [row] = await q`x`; return row !== undefined;', 'read'],
  ['const rows = await q`x`; return rows.length > 0;', 'read'],
  ['if ((await q()) !== null) work();', 'read'],
  ['const rows = await q`x`; if (rows.length && rows) work();', 'read'],
  ['await q`x`;', 'dropped'],
]);

check('the statement itself uses the answer', { column: { kind: 'inside' } }, [
  ['await q();', 'read'],
  ['const { rowCount } = await q(); return rowCount === 1;', 'read'],
]);

check('the call gives the row', { shape: ARRAY, holds: 'row', otherColumns: [] }, [
  ['const { ok } = await q(); return ok;', 'read'],
  ['const row = await q(); if (row.ok) work();', 'read'],
  ['const row = await q(); if (row.locked) work();', 'mistaken column: row.locked'],
  ['if ((await q()) !== null) work();', 'mistaken row: await q()'],
  ['await q();', 'dropped'],
]);

check('the call gives the row, whose presence is the answer', { shape: ARRAY, holds: 'row', column: ROW }, [
  ['if ((await q()) !== null) work();', 'read'],
  ['const row = await q(); if (!row) return;', 'read'],
]);

check('the call gives the boolean', { shape: ARRAY, holds: 'boolean' }, [
  ['if (await q()) work();', 'read'],
  ['const won = await q(); return won;', 'read'],
  ['const won = await q();', 'dropped'],
]);

check('the call gives a count', { shape: ARRAY, holds: 'count' }, [
  ['if (await q()) work();', 'mistaken count: await q()'],
  ['const n = await q(); if (n === 1) return true;', 'mistaken count: n'],
  ['await q();', 'dropped'],
]);

check('a property holds the boolean', { shape: { ...PG, rows: 'data' }, holds: 'boolean', silent: ['error'] }, [
  ['const { data: entered } = await q(); if (!entered) return;', 'read'],
  ['const { data, error } = await q(); if (error) throw error; if (!data) return;', 'read'],
  ['const { error } = await q(); if (error) throw error;', 'dropped'],
  ['const { data } = await q();', 'dropped'],
]);

check('the call maps its result', { shape: ARRAY }, [
  ['const won = await q(text, [], (row) => row.ok); if (!won) return;', 'read'],
  ['await q(text, [], (row) => row.ok);', 'dropped'],
  ['await q(text, [], (row) => row.ok).catch(() => {});', 'dropped'],
  ['if (await q(text, [], function (row) { return row.ok; })) work();', 'read'],
]);
