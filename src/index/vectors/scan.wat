;; Vector kernel over the imported memory; addresses are byte offsets. scan.ts documents the parameters.
;; `scan`: 16 components of two rows per step, because processors prefetch two streams but not four.
;; `scanAt`: touches each row four positions ahead, so that several rows are fetched from memory at once.
;; `add`, `above`, `peaks`: four float32 values per SIMD operation. `above` may write three extra positions.
;; `encode`: a group is four components; in fine codes, two.
;; `estimate`: looks up 16 codes at once, and adds four table entries (below 64) before widening to 16 bits.
(module
  (import "index" "memory" (memory 1))
  (func (export "scan")
    (param $query i32) (param $factor f32) (param $rows i32) (param $scales i32) (param $count i32) (param $stride i32) (param $out i32)
    (local $end i32) (local $at i32) (local $row1 i32) (local $next i32)
    (local $low v128) (local $high v128) (local $sum0 v128) (local $sum1 v128) (local $sum2 v128) (local $sum3 v128)
    (local.set $end (i32.add (local.get $out) (i32.shl (local.get $count) (i32.const 2))))
    (block $done
      (loop $four
        (br_if $done (i32.gt_u (i32.add (local.get $out) (i32.const 16)) (local.get $end)))
        (local.set $row1 (i32.add (local.get $rows) (local.get $stride)))
        (local.set $next (i32.add (local.get $row1) (local.get $stride)))
        (local.set $sum0 (v128.const i32x4 0 0 0 0))
        (local.set $sum1 (v128.const i32x4 0 0 0 0))
        (local.set $at (local.get $query))
        (loop $step
          (local.set $low (v128.load (local.get $at)))
          (local.set $high (v128.load offset=16 (local.get $at)))
          (local.set $at (i32.add (local.get $at) (i32.const 32)))
          (local.set $sum0 (i32x4.add (local.get $sum0) (i32x4.dot_i16x8_s (v128.load8x8_s (local.get $rows)) (local.get $low))))
          (local.set $sum1 (i32x4.add (local.get $sum1) (i32x4.dot_i16x8_s (v128.load8x8_s (local.get $row1)) (local.get $low))))
          (local.set $sum0 (i32x4.add (local.get $sum0) (i32x4.dot_i16x8_s (v128.load8x8_s offset=8 (local.get $rows)) (local.get $high))))
          (local.set $sum1 (i32x4.add (local.get $sum1) (i32x4.dot_i16x8_s (v128.load8x8_s offset=8 (local.get $row1)) (local.get $high))))
          (local.set $rows (i32.add (local.get $rows) (i32.const 16)))
          (br_if $step (i32.lt_u (local.tee $row1 (i32.add (local.get $row1) (i32.const 16))) (local.get $next))))
        (local.set $rows (local.get $next))
        (local.set $row1 (i32.add (local.get $rows) (local.get $stride)))
        (local.set $next (i32.add (local.get $row1) (local.get $stride)))
        (local.set $sum2 (v128.const i32x4 0 0 0 0))
        (local.set $sum3 (v128.const i32x4 0 0 0 0))
        (local.set $at (local.get $query))
        (loop $step
          (local.set $low (v128.load (local.get $at)))
          (local.set $high (v128.load offset=16 (local.get $at)))
          (local.set $at (i32.add (local.get $at) (i32.const 32)))
          (local.set $sum2 (i32x4.add (local.get $sum2) (i32x4.dot_i16x8_s (v128.load8x8_s (local.get $rows)) (local.get $low))))
          (local.set $sum3 (i32x4.add (local.get $sum3) (i32x4.dot_i16x8_s (v128.load8x8_s (local.get $row1)) (local.get $low))))
          (local.set $sum2 (i32x4.add (local.get $sum2) (i32x4.dot_i16x8_s (v128.load8x8_s offset=8 (local.get $rows)) (local.get $high))))
          (local.set $sum3 (i32x4.add (local.get $sum3) (i32x4.dot_i16x8_s (v128.load8x8_s offset=8 (local.get $row1)) (local.get $high))))
          (local.set $rows (i32.add (local.get $rows) (i32.const 16)))
          (br_if $step (i32.lt_u (local.tee $row1 (i32.add (local.get $row1) (i32.const 16))) (local.get $next))))
        (local.set $rows (local.get $next))
        ;; transpose the sums, then add the four lanes of each
        (local.set $sum0 (i32x4.add
          (i8x16.shuffle 0 1 2 3 16 17 18 19 4 5 6 7 20 21 22 23 (local.get $sum0) (local.get $sum1))
          (i8x16.shuffle 8 9 10 11 24 25 26 27 12 13 14 15 28 29 30 31 (local.get $sum0) (local.get $sum1))))
        (local.set $sum2 (i32x4.add
          (i8x16.shuffle 0 1 2 3 16 17 18 19 4 5 6 7 20 21 22 23 (local.get $sum2) (local.get $sum3))
          (i8x16.shuffle 8 9 10 11 24 25 26 27 12 13 14 15 28 29 30 31 (local.get $sum2) (local.get $sum3))))
        (v128.store align=4 (local.get $out)
          (f32x4.mul
            (f32x4.mul
              (f32x4.convert_i32x4_s
                (i32x4.add
                  (i8x16.shuffle 0 1 2 3 4 5 6 7 16 17 18 19 20 21 22 23 (local.get $sum0) (local.get $sum2))
                  (i8x16.shuffle 8 9 10 11 12 13 14 15 24 25 26 27 28 29 30 31 (local.get $sum0) (local.get $sum2))))
              (v128.load align=4 (local.get $scales)))
            (f32x4.splat (local.get $factor))))
        (local.set $scales (i32.add (local.get $scales) (i32.const 16)))
        (local.set $out (i32.add (local.get $out) (i32.const 16)))
        (br $four)))
    (block $end
      (loop $rest
        (br_if $end (i32.ge_u (local.get $out) (local.get $end)))
        (f32.store (local.get $out) (call $score (local.get $query) (local.get $factor) (local.get $rows) (local.get $scales) (local.get $stride)))
        (local.set $rows (i32.add (local.get $rows) (local.get $stride)))
        (local.set $scales (i32.add (local.get $scales) (i32.const 4)))
        (local.set $out (i32.add (local.get $out) (i32.const 4)))
        (br $rest))))
  (func $score (param $query i32) (param $factor f32) (param $row i32) (param $scale i32) (param $stride i32) (result f32)
    (local $end i32) (local $sum0 v128) (local $sum1 v128)
    (local.set $end (i32.add (local.get $row) (local.get $stride)))
    (loop $step
      (local.set $sum0 (i32x4.add (local.get $sum0) (i32x4.dot_i16x8_s (v128.load8x8_s (local.get $row)) (v128.load (local.get $query)))))
      (local.set $sum1 (i32x4.add (local.get $sum1) (i32x4.dot_i16x8_s (v128.load8x8_s offset=8 (local.get $row)) (v128.load offset=16 (local.get $query)))))
      (local.set $query (i32.add (local.get $query) (i32.const 32)))
      (br_if $step (i32.lt_u (local.tee $row (i32.add (local.get $row) (i32.const 16))) (local.get $end))))
    (local.set $sum0 (i32x4.add (local.get $sum0) (local.get $sum1)))
    (f32.mul
      (f32.mul
        (f32.convert_i32_s
          (i32.add
            (i32.add (i32x4.extract_lane 0 (local.get $sum0)) (i32x4.extract_lane 1 (local.get $sum0)))
            (i32.add (i32x4.extract_lane 2 (local.get $sum0)) (i32x4.extract_lane 3 (local.get $sum0)))))
        (f32.load (local.get $scale)))
      (local.get $factor)))
  (func (export "scanAt")
    (param $query i32) (param $factor f32) (param $rows i32) (param $scales i32) (param $places i32) (param $count i32) (param $stride i32) (param $out i32)
    (local $end i32) (local $ahead i32) (local $place i32) (local $at i32) (local $next i32)
    (local.set $end (i32.add (local.get $places) (i32.shl (local.get $count) (i32.const 2))))
    (local.set $ahead (local.get $places))
    (block $done
      (loop $each
        (br_if $done (i32.ge_u (local.get $places) (local.get $end)))
        (block $enough
          (loop $touch
            (br_if $enough (i32.ge_u (local.get $ahead) (local.get $end)))
            (br_if $enough (i32.gt_u (local.get $ahead) (i32.add (local.get $places) (i32.const 16))))
            (local.set $at (i32.add (local.get $rows) (i32.mul (i32.load (local.get $ahead)) (local.get $stride))))
            (local.set $next (i32.add (local.get $at) (local.get $stride)))
            (loop $line
              (drop (i32.load (local.get $at)))
              (br_if $line (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 64))) (local.get $next))))
            (local.set $ahead (i32.add (local.get $ahead) (i32.const 4)))
            (br $touch)))
        (local.set $place (i32.load (local.get $places)))
        (f32.store (local.get $out)
          (call $score
            (local.get $query)
            (local.get $factor)
            (i32.add (local.get $rows) (i32.mul (local.get $place) (local.get $stride)))
            (i32.add (local.get $scales) (i32.shl (local.get $place) (i32.const 2)))
            (local.get $stride)))
        (local.set $places (i32.add (local.get $places) (i32.const 4)))
        (local.set $out (i32.add (local.get $out) (i32.const 4)))
        (br $each))))
  (func (export "add")
    (param $rows i32) (param $weights i32) (param $count i32) (param $saturation f32) (param $norms i32) (param $scores i32) (result f32)
    (local $end i32) (local $row0 i32) (local $row1 i32) (local $row2 i32) (local $row3 i32)
    (local $factors v128) (local $weight v128) (local $norm v128) (local $score v128) (local $most v128) (local $best f32) (local $one f32)
    (local.set $factors (f32x4.splat (local.get $saturation)))
    (local.set $end (i32.add (local.get $rows) (i32.shl (local.get $count) (i32.const 2))))
    (block $done
      (loop $four
        (br_if $done (i32.gt_u (i32.add (local.get $rows) (i32.const 16)) (local.get $end)))
        (local.set $row0 (i32.shl (i32.load (local.get $rows)) (i32.const 2)))
        (local.set $row1 (i32.shl (i32.load offset=4 (local.get $rows)) (i32.const 2)))
        (local.set $row2 (i32.shl (i32.load offset=8 (local.get $rows)) (i32.const 2)))
        (local.set $row3 (i32.shl (i32.load offset=12 (local.get $rows)) (i32.const 2)))
        (local.set $weight (f32x4.convert_i32x4_u (v128.load16x4_u (local.get $weights))))
        (local.set $norm (v128.load32_zero (i32.add (local.get $norms) (local.get $row0))))
        (local.set $norm (v128.load32_lane 1 (i32.add (local.get $norms) (local.get $row1)) (local.get $norm)))
        (local.set $norm (v128.load32_lane 2 (i32.add (local.get $norms) (local.get $row2)) (local.get $norm)))
        (local.set $norm (v128.load32_lane 3 (i32.add (local.get $norms) (local.get $row3)) (local.get $norm)))
        (local.set $row0 (i32.add (local.get $scores) (local.get $row0)))
        (local.set $row1 (i32.add (local.get $scores) (local.get $row1)))
        (local.set $row2 (i32.add (local.get $scores) (local.get $row2)))
        (local.set $row3 (i32.add (local.get $scores) (local.get $row3)))
        (local.set $score (v128.load32_zero (local.get $row0)))
        (local.set $score (v128.load32_lane 1 (local.get $row1) (local.get $score)))
        (local.set $score (v128.load32_lane 2 (local.get $row2) (local.get $score)))
        (local.set $score (v128.load32_lane 3 (local.get $row3) (local.get $score)))
        (local.set $score
          (f32x4.add
            (local.get $score)
            (f32x4.div
              (f32x4.mul (local.get $factors) (local.get $weight))
              (f32x4.add (local.get $weight) (local.get $norm)))))
        (v128.store32_lane 0 (local.get $row0) (local.get $score))
        (v128.store32_lane 1 (local.get $row1) (local.get $score))
        (v128.store32_lane 2 (local.get $row2) (local.get $score))
        (v128.store32_lane 3 (local.get $row3) (local.get $score))
        (local.set $most (f32x4.pmax (local.get $most) (local.get $score)))
        (local.set $rows (i32.add (local.get $rows) (i32.const 16)))
        (local.set $weights (i32.add (local.get $weights) (i32.const 8)))
        (br $four)))
    (local.set $best
      (f32.max
        (f32.max (f32x4.extract_lane 0 (local.get $most)) (f32x4.extract_lane 1 (local.get $most)))
        (f32.max (f32x4.extract_lane 2 (local.get $most)) (f32x4.extract_lane 3 (local.get $most)))))
    (block $end
      (loop $rest
        (br_if $end (i32.ge_u (local.get $rows) (local.get $end)))
        (local.set $row0 (i32.shl (i32.load (local.get $rows)) (i32.const 2)))
        (local.set $one (f32.convert_i32_u (i32.load16_u (local.get $weights))))
        (local.set $one
          (f32.add
            (f32.load (i32.add (local.get $scores) (local.get $row0)))
            (f32.div
              (f32.mul (local.get $saturation) (local.get $one))
              (f32.add (local.get $one) (f32.load (i32.add (local.get $norms) (local.get $row0)))))))
        (f32.store (i32.add (local.get $scores) (local.get $row0)) (local.get $one))
        (local.set $best (f32.max (local.get $best) (local.get $one)))
        (local.set $rows (i32.add (local.get $rows) (i32.const 4)))
        (local.set $weights (i32.add (local.get $weights) (i32.const 2)))
        (br $rest)))
    (local.get $best))
  (func (export "above") (param $at i32) (param $count i32) (param $floor f32) (param $out i32) (result i32)
    (local $place i32) (local $bits i32) (local $start i32) (local $floors v128)
    (local.set $start (local.get $out))
    (local.set $floors (f32x4.splat (local.get $floor)))
    (block $done
      (loop $four
        (br_if $done (i32.gt_u (i32.add (local.get $place) (i32.const 4)) (local.get $count)))
        (local.set $bits (i32x4.bitmask (f32x4.gt (v128.load align=4 (local.get $at)) (local.get $floors))))
        (if (local.get $bits)
          (then
            (i32.store (local.get $out) (local.get $place))
            (local.set $out (i32.add (local.get $out) (i32.shl (i32.and (local.get $bits) (i32.const 1)) (i32.const 2))))
            (i32.store (local.get $out) (i32.add (local.get $place) (i32.const 1)))
            (local.set $out (i32.add (local.get $out) (i32.shl (i32.and (local.get $bits) (i32.const 2)) (i32.const 1))))
            (i32.store (local.get $out) (i32.add (local.get $place) (i32.const 2)))
            (local.set $out (i32.add (local.get $out) (i32.and (local.get $bits) (i32.const 4))))
            (i32.store (local.get $out) (i32.add (local.get $place) (i32.const 3)))
            (local.set $out (i32.add (local.get $out) (i32.shr_u (i32.and (local.get $bits) (i32.const 8)) (i32.const 1))))))
        (local.set $at (i32.add (local.get $at) (i32.const 16)))
        (local.set $place (i32.add (local.get $place) (i32.const 4)))
        (br $four)))
    (block $end
      (loop $rest
        (br_if $end (i32.ge_u (local.get $place) (local.get $count)))
        (i32.store (local.get $out) (local.get $place))
        (local.set $out (i32.add (local.get $out) (i32.shl (f32.gt (f32.load (local.get $at)) (local.get $floor)) (i32.const 2))))
        (local.set $at (i32.add (local.get $at) (i32.const 4)))
        (local.set $place (i32.add (local.get $place) (i32.const 1)))
        (br $rest)))
    (i32.shr_u (i32.sub (local.get $out) (local.get $start)) (i32.const 2)))
  (func (export "peaks") (param $at i32) (param $count i32) (param $out i32)
    (local $end i32) (local $next i32) (local $most v128)
    (local.set $end (i32.add (local.get $out) (i32.shl (local.get $count) (i32.const 2))))
    (block $done
      (loop $each
        (br_if $done (i32.ge_u (local.get $out) (local.get $end)))
        (local.set $next (i32.add (local.get $at) (i32.const 256)))
        (local.set $most (v128.load align=4 (local.get $at)))
        (loop $four
          (local.set $most
            (f32x4.pmax
              (f32x4.pmax (local.get $most) (v128.load align=4 (local.get $at)))
              (f32x4.pmax (v128.load offset=16 align=4 (local.get $at)) (v128.load offset=32 align=4 (local.get $at)))))
          (local.set $most (f32x4.pmax (local.get $most) (v128.load offset=48 align=4 (local.get $at))))
          (br_if $four (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 64))) (local.get $next))))
        (f32.store (local.get $out)
          (f32.max
            (f32.max (f32x4.extract_lane 0 (local.get $most)) (f32x4.extract_lane 1 (local.get $most)))
            (f32.max (f32x4.extract_lane 2 (local.get $most)) (f32x4.extract_lane 3 (local.get $most)))))
        (local.set $out (i32.add (local.get $out) (i32.const 4)))
        (br $each))))
  (func (export "encode")
    (param $vector i32) (param $scale f32) (param $middles i32) (param $spreads i32) (param $stride i32) (param $isFine i32) (param $shift i32) (param $out i32)
    (local $end i32) (local $above i32) (local $far i32) (local $kept i32) (local $scales v128) (local $from v128)
    (local.set $end (i32.add (local.get $vector) (local.get $stride)))
    (local.set $scales (f32x4.splat (local.get $scale)))
    (local.set $kept (i32.shr_u (i32.const 0xf0) (local.get $shift)))
    (loop $four
      (local.set $from
        (f32x4.sub
          (f32x4.mul
            (f32x4.convert_i32x4_s (i32x4.extend_low_i16x8_s (i16x8.extend_low_i8x16_s (v128.load32_zero (local.get $vector)))))
            (local.get $scales))
          (v128.load (local.get $middles))))
      (local.set $above (i32x4.bitmask (f32x4.gt (local.get $from) (v128.const f32x4 0 0 0 0))))
      (if (local.get $isFine)
        (then
          (local.set $far (i32x4.bitmask (f32x4.gt (f32x4.abs (local.get $from)) (v128.load (local.get $spreads)))))
          (i32.store8
            (local.get $out)
            (i32.or
              (i32.and (i32.load8_u (local.get $out)) (local.get $kept))
              (i32.shl
                (i32.or (i32.and (local.get $above) (i32.const 3)) (i32.shl (i32.and (local.get $far) (i32.const 3)) (i32.const 2)))
                (local.get $shift))))
          (local.set $out (i32.add (local.get $out) (i32.const 16)))
          (local.set $spreads (i32.add (local.get $spreads) (i32.const 16)))
          (local.set $above (i32.or (i32.shr_u (local.get $above) (i32.const 2)) (i32.and (local.get $far) (i32.const 12))))))
      (i32.store8
        (local.get $out)
        (i32.or (i32.and (i32.load8_u (local.get $out)) (local.get $kept)) (i32.shl (local.get $above) (local.get $shift))))
      (local.set $out (i32.add (local.get $out) (i32.const 16)))
      (local.set $middles (i32.add (local.get $middles) (i32.const 16)))
      (br_if $four (i32.lt_u (local.tee $vector (i32.add (local.get $vector) (i32.const 4))) (local.get $end)))))
  (func (export "estimate") (param $tables i32) (param $blocks i32) (param $count i32) (param $step i32) (param $groups i32) (param $out i32)
    (local $end i32) (local $at i32) (local $table i32) (local $last i32)
    (local $codes v128) (local $entries v128) (local $low v128) (local $high v128)
    (local $even0 v128) (local $odd0 v128) (local $even1 v128) (local $odd1 v128) (local $nibbles v128) (local $bytes v128)
    (local.set $nibbles (i8x16.splat (i32.const 15)))
    (local.set $bytes (i16x8.splat (i32.const 255)))
    (local.set $end (i32.add (local.get $out) (i32.shl (local.get $count) (i32.const 7))))
    (local.set $last (i32.add (local.get $tables) (i32.shl (local.get $groups) (i32.const 4))))
    (block $done
      (loop $each
        (br_if $done (i32.ge_u (local.get $out) (local.get $end)))
        (local.set $at (local.get $blocks))
        (local.set $table (local.get $tables))
        (local.set $even0 (v128.const i32x4 0 0 0 0))
        (local.set $odd0 (v128.const i32x4 0 0 0 0))
        (local.set $even1 (v128.const i32x4 0 0 0 0))
        (local.set $odd1 (v128.const i32x4 0 0 0 0))
        (loop $four
          (local.set $codes (v128.load (local.get $at)))
          (local.set $entries (v128.load (local.get $table)))
          (local.set $low (i8x16.swizzle (local.get $entries) (v128.and (local.get $codes) (local.get $nibbles))))
          (local.set $high (i8x16.swizzle (local.get $entries) (v128.and (i16x8.shr_u (local.get $codes) (i32.const 4)) (local.get $nibbles))))
          (local.set $codes (v128.load offset=16 (local.get $at)))
          (local.set $entries (v128.load offset=16 (local.get $table)))
          (local.set $low (i8x16.add (local.get $low) (i8x16.swizzle (local.get $entries) (v128.and (local.get $codes) (local.get $nibbles)))))
          (local.set $high (i8x16.add (local.get $high) (i8x16.swizzle (local.get $entries) (v128.and (i16x8.shr_u (local.get $codes) (i32.const 4)) (local.get $nibbles)))))
          (local.set $codes (v128.load offset=32 (local.get $at)))
          (local.set $entries (v128.load offset=32 (local.get $table)))
          (local.set $low (i8x16.add (local.get $low) (i8x16.swizzle (local.get $entries) (v128.and (local.get $codes) (local.get $nibbles)))))
          (local.set $high (i8x16.add (local.get $high) (i8x16.swizzle (local.get $entries) (v128.and (i16x8.shr_u (local.get $codes) (i32.const 4)) (local.get $nibbles)))))
          (local.set $codes (v128.load offset=48 (local.get $at)))
          (local.set $entries (v128.load offset=48 (local.get $table)))
          (local.set $low (i8x16.add (local.get $low) (i8x16.swizzle (local.get $entries) (v128.and (local.get $codes) (local.get $nibbles)))))
          (local.set $high (i8x16.add (local.get $high) (i8x16.swizzle (local.get $entries) (v128.and (i16x8.shr_u (local.get $codes) (i32.const 4)) (local.get $nibbles)))))
          (local.set $even0 (i16x8.add (local.get $even0) (v128.and (local.get $low) (local.get $bytes))))
          (local.set $odd0 (i16x8.add (local.get $odd0) (i16x8.shr_u (local.get $low) (i32.const 8))))
          (local.set $even1 (i16x8.add (local.get $even1) (v128.and (local.get $high) (local.get $bytes))))
          (local.set $odd1 (i16x8.add (local.get $odd1) (i16x8.shr_u (local.get $high) (i32.const 8))))
          (local.set $at (i32.add (local.get $at) (i32.const 64)))
          (br_if $four (i32.lt_u (local.tee $table (i32.add (local.get $table) (i32.const 64))) (local.get $last))))
        (call $write (local.get $even0) (local.get $odd0) (local.get $out))
        (call $write (local.get $even1) (local.get $odd1) (i32.add (local.get $out) (i32.const 64)))
        (local.set $blocks (i32.add (local.get $blocks) (local.get $step)))
        (local.set $out (i32.add (local.get $out) (i32.const 128)))
        (br $each))))
  (func $write (param $even v128) (param $odd v128) (param $out i32)
    (local $first v128) (local $second v128)
    (local.set $first (i8x16.shuffle 0 1 16 17 2 3 18 19 4 5 20 21 6 7 22 23 (local.get $even) (local.get $odd)))
    (local.set $second (i8x16.shuffle 8 9 24 25 10 11 26 27 12 13 28 29 14 15 30 31 (local.get $even) (local.get $odd)))
    (v128.store (local.get $out) (f32x4.convert_i32x4_u (i32x4.extend_low_i16x8_u (local.get $first))))
    (v128.store offset=16 (local.get $out) (f32x4.convert_i32x4_u (i32x4.extend_high_i16x8_u (local.get $first))))
    (v128.store offset=32 (local.get $out) (f32x4.convert_i32x4_u (i32x4.extend_low_i16x8_u (local.get $second))))
    (v128.store offset=48 (local.get $out) (f32x4.convert_i32x4_u (i32x4.extend_high_i16x8_u (local.get $second))))))
