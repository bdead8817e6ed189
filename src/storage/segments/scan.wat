;; `scan`: dot products of one 16-bit query with 8-bit rows, eight components a step; `stride` is the bytes of a row, a multiple of 16.
;; `above`: the places of float32 scores above a floor, four scores a step; it may write three more than it answers.
;; All addresses are bytes in the imported memory.
(module
  (import "index" "memory" (memory 1))
  (func (export "scan")
    (param $query i32) (param $factor f32) (param $rows i32) (param $scales i32) (param $count i32) (param $stride i32) (param $out i32)
    (local $end i32) (local $at i32) (local $component i32) (local $sum v128) (local $bytes v128)
    (local.set $end (i32.add (local.get $out) (i32.shl (local.get $count) (i32.const 2))))
    (block $done
      (loop $row
        (br_if $done (i32.ge_u (local.get $out) (local.get $end)))
        (local.set $sum (v128.const i32x4 0 0 0 0))
        (local.set $component (i32.const 0))
        (local.set $at (local.get $query))
        (loop $step
          (local.set $bytes (v128.load (i32.add (local.get $rows) (local.get $component))))
          (local.set $sum (i32x4.add (local.get $sum)
            (i32x4.dot_i16x8_s (i16x8.extend_low_i8x16_s (local.get $bytes)) (v128.load (local.get $at)))))
          (local.set $sum (i32x4.add (local.get $sum)
            (i32x4.dot_i16x8_s (i16x8.extend_high_i8x16_s (local.get $bytes)) (v128.load offset=16 (local.get $at)))))
          (local.set $at (i32.add (local.get $at) (i32.const 32)))
          (br_if $step (i32.lt_u (local.tee $component (i32.add (local.get $component) (i32.const 16))) (local.get $stride))))
        (f32.store (local.get $out)
          (f32.mul
            (f32.mul
              (f32.convert_i32_s
                (i32.add
                  (i32.add (i32x4.extract_lane 0 (local.get $sum)) (i32x4.extract_lane 1 (local.get $sum)))
                  (i32.add (i32x4.extract_lane 2 (local.get $sum)) (i32x4.extract_lane 3 (local.get $sum)))))
              (f32.load (local.get $scales)))
            (local.get $factor)))
        (local.set $rows (i32.add (local.get $rows) (local.get $stride)))
        (local.set $scales (i32.add (local.get $scales) (i32.const 4)))
        (local.set $out (i32.add (local.get $out) (i32.const 4)))
        (br $row))))
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
    (i32.shr_u (i32.sub (local.get $out) (local.get $start)) (i32.const 2))))
