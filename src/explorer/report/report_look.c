#include "explorer/report/report_look.h"

#include <stddef.h>

const char *const report_style[] = {
	"*{box-sizing:border-box}",
	"body{margin:0;background:var(--background);color:var(--text);"
	"font:16px/1.55 system-ui,-apple-system,\"Segoe UI\",Roboto,\"DejaVu Sans\",sans-serif}",
	"main{max-width:74rem;margin:0 auto;padding:2.5rem 1.5rem 4rem}",
	"h1{font-size:1.9rem;line-height:1.2;margin:.2rem 0 1.2rem;overflow-wrap:anywhere}",
	"h2{font-size:1.3rem;margin:2.8rem 0 .8rem;padding-bottom:.35rem;border-bottom:1px solid var(--frame)}",
	"h3{font-size:1.02rem;margin:1.6rem 0 .5rem;overflow-wrap:anywhere}",
	"p{margin:.6rem 0;max-width:50rem;overflow-wrap:anywhere}",
	"ul{padding-left:1.3rem;max-width:50rem}",
	"li{overflow-wrap:anywhere}",
	"a{color:var(--accent)}",
	".kind{color:var(--dim);margin:0;letter-spacing:.02em}",
	".answer{border:1px solid var(--frame);border-left:.45rem solid var(--verdict);border-radius:.4rem;"
	"padding:1rem 1.3rem;margin:0 0 1rem}",
	".answer p{max-width:60rem;margin:.45rem 0}",
	".answer .verdict{color:var(--verdict);font-weight:700;font-size:1.35rem;margin:0}",
	".answer .lead{font-size:1.12rem}",
	".answer ul{margin:.2rem 0 .4rem;max-width:60rem;color:var(--dim)}",
	".infeasible{--verdict:var(--infeasible)}.feasible{--verdict:var(--feasible)}",
	".borderline{--verdict:var(--borderline)}.undecided{--verdict:var(--undecided)}.plain{--verdict:var(--accent)}",
	"nav ul{display:flex;flex-wrap:wrap;gap:.15rem 1.2rem;list-style:none;padding:0;margin:1.2rem 0 0;"
	"max-width:none}",
	"nav a{text-decoration:none}nav a:hover{text-decoration:underline}",
	".wide{overflow-x:auto;margin:.6rem 0}",
	"table{border-collapse:collapse;font-size:.9rem;line-height:1.4}",
	"caption{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}",
	".seen caption{position:static;width:auto;height:auto;clip-path:none;text-align:left;color:var(--dim);"
	"padding:.3rem 0;white-space:normal}",
	"th,td{text-align:left;vertical-align:top;padding:.32rem .9rem .32rem 0;border-bottom:1px solid var(--frame);"
	"overflow-wrap:break-word}",
	"td:not(.n){overflow-wrap:anywhere;min-width:7.4em}",
	"thead th{vertical-align:bottom;color:var(--dim);font-weight:600;border-bottom:2px solid var(--frame)}",
	".facts th{color:var(--dim);font-weight:400;white-space:nowrap;padding-right:1.8rem}",
	"th.n,td.n{text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums}",
	"tfoot td{font-weight:700;border-bottom:0;border-top:2px solid var(--frame)}",
	"tbody tr:hover{background:var(--select)}",
	"th button{font:inherit;color:inherit;background:none;border:0;padding:0;text-align:inherit;cursor:pointer}",
	"th button:hover,th button:focus-visible{color:var(--accent)}",
	"th button::after{content:\"\\2195\";opacity:.55;padding-left:.3em}",
	"th[aria-sort=ascending] button::after{content:\"\\2191\";opacity:1}",
	"th[aria-sort=descending] button::after{content:\"\\2193\";opacity:1}",
	"details{border:1px solid var(--frame);border-radius:.4rem;padding:.55rem 1rem;margin:.7rem 0}",
	"summary{cursor:pointer;overflow-wrap:anywhere}",
	"summary span{font-weight:600}summary small{color:var(--dim);padding-left:.5rem;font-size:.88rem}",
	"code,pre{font:.87rem/1.5 \"DejaVu Sans Mono\",\"Liberation Mono\",Menlo,Consolas,monospace}",
	"pre{overflow-x:auto;background:var(--select);border-radius:.3rem;padding:.7rem 1rem;margin:.6rem 0;"
	"tab-size:8}",
	"figure{margin:1.2rem 0}",
	"figure svg{max-width:100%;height:auto;display:block}",
	"figcaption{color:var(--dim);font-size:.9rem;margin-top:.4rem}",
	"@media print{main{max-width:none;padding:0}nav{display:none}body{font-size:10pt}"
	"details{border:0;padding:0}figure,tr,summary{break-inside:avoid}h2,h3{break-after:avoid}"
	".wide,pre{overflow:visible}pre{white-space:pre-wrap}th button::after{content:none}}",
	NULL,
};

/* A table's heads become buttons. Numbers sort from the largest on first, texts from A on; what is not known stays
 * last. Without this script the tables stand as they were written. Printing unfolds all. */
const char *const report_script[] = {
	"'use strict';",
	"const unit = {'': 1, k: 1e3, M: 1e6, G: 1e9, T: 1e12};",
	"function key(row, at) {",
	"  const text = row.cells[at].textContent.trim();",
	"  if (/^[.?\\u00b7]?$/.test(text)) return null;",
	"  const number = /^[<~]?([-+\\u2212]?)(\\d[\\d \\u2009\\u00a0]*(?:\\.\\d+)?(?:e[-+]?\\d+)?)"
	" ?([kMGT]?)(?: ?%| exact| or more)?$/.exec(text);",
	"  if (!number) return text;",
	"  const size = Number(number[2].replace(/[ \\u2009\\u00a0]/g, '')) * unit[number[3]];",
	"  return number[1] === '-' || number[1] === '\\u2212' ? -size : size;",
	"}",
	"function compare(a, b) {",
	"  if (typeof a !== typeof b) return typeof a === 'number' ? -1 : 1;",
	"  return typeof a === 'number' ? a - b : a.localeCompare(b, 'en', {numeric: true});",
	"}",
	"for (const table of document.querySelectorAll('table.sorts')) {",
	"  const body = table.tBodies[0], heads = [...table.tHead.rows[0].cells];",
	"  if (body.rows.length < 2) continue;",
	"  heads.forEach((head, at) => {",
	"    const button = document.createElement('button');",
	"    button.type = 'button';",
	"    button.append(...head.childNodes);",
	"    head.append(button);",
	"    button.addEventListener('click', () => {",
	"      const was = head.getAttribute('aria-sort');",
	"      const up = was ? was === 'descending' : !head.classList.contains('n');",
	"      const rows = [...body.rows].map(row => ({row, key: key(row, at)}));",
	"      rows.sort((a, b) => a.key === null || b.key === null ? (a.key === null) - (b.key === null)",
	"        : (up ? 1 : -1) * compare(a.key, b.key));",
	"      body.append(...rows.map(one => one.row));",
	"      heads.forEach(other => other.removeAttribute('aria-sort'));",
	"      head.setAttribute('aria-sort', up ? 'ascending' : 'descending');",
	"    });",
	"  });",
	"}",
	"let opened = [];",
	"addEventListener('beforeprint', () => {",
	"  opened = [...document.querySelectorAll('details:not([open])')];",
	"  opened.forEach(part => { part.open = true; });",
	"});",
	"addEventListener('afterprint', () => opened.forEach(part => { part.open = false; }));",
	NULL,
};

const char report_script_hash[] = "sha256-hufH71rpKCgOm3DjrcegoJzfr6wvGJExkhjIC7U0Ohw=";
