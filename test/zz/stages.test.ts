import { it } from "vitest";
import { compile } from "../../compiler/compile.ts";
import { canonicalJson } from "../../compiler/ir/canonical.ts";
import { securityReport } from "../../compiler/policy/report.ts";
import { diffPrograms } from "../../compiler/diff/program-diff.ts";
import { builtinCatalog } from "../../compiler/catalog/builtin.ts";
import { servedEndpoints } from "../../service/programs/endpoints/served-endpoints.ts";
const rep=(bytes:number,part:(n:number)=>string,end="")=>{let t="";for(let i=0;t.length<bytes;i++)t+=part(i);return t+end};
const B=0.95*1024*1024;
const P:Record<string,string>={
 labels:rep(B,(at) => `La${at}:\n  Set x${at} ${at}\n  J x${at}\n`),
 one:rep(B,(at) => (at === 0 ? "L1:\n" : `  X y${at} add ${at} 1\n`), "  J y1\n"),
 calls:rep(B,(at) => (at === 0 ? "L1:\n" : `  R http.Get "https://h${at}.example/" ->r\n`), "  J r\n"),
 llm:rep(B,(at) => `La${at}:\n  R llm.Complete "m" "x${at}" ->r\n  J r\n`),
 queue:rep(B,(at) => `La${at}:\n  R queue.Put "q${at}" ${at} ->r\n  If r ->La${at+1} ->La${at+2}\n`,"La"+"999999:\n J 1\n"),
 indented:rep(B,(at) => `g${at}:\n  x = ${at}\n  if x > 3:\n    out x + 1\n  out x\n`),
};
it("times",()=>{
 const t=<T,>(n:string,f:()=>T):T=>{const a=performance.now();const r=f();const b=performance.now();if(b-a>10)console.log("   ",n,Math.round(b-a));return r};
 for(const [k,src] of Object.entries(P)){
  console.log(k,src.length);
  const c=t("compile",()=>compile(src,{strict:false}));const ir=c.ir!; if(!ir){console.log(c.diagnostics.slice(0,2));continue}
  const c2=compile(src.replace(/1/g,"2").replace(/2/,"1"),{strict:false}).ir ?? ir;
  const text=t("canonical",()=>canonicalJson(ir as never));
  console.log("    ir bytes",text.length, "nodes", ir.nodes.length);
  t("parse",()=>JSON.parse(text)); t("stringify",()=>JSON.stringify(ir));
  t("report",()=>securityReport(ir,builtinCatalog as never));
  t("diff other",()=>diffPrograms(ir,c2,builtinCatalog as never));
  t("diff same",()=>diffPrograms(ir,JSON.parse(text),builtinCatalog as never));
  t("endpoints",()=>servedEndpoints(ir,{} as never));
 }
},300000);
